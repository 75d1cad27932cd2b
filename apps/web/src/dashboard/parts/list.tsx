import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { firstPlace, nextPlace, type Place, previousPlace } from '../paging.ts'
import { Pager } from './pager.tsx'
import { Empty, Failure, Stale, Waiting } from './states.tsx'

type Props<Item> = {
  query: Pick<UseQueryResult, 'error' | 'refetch'>
  /** What was answered, as far as it is there; `shown` says which part of the list it is. */
  list: { readonly items: readonly Item[]; readonly nextCursor: string | null; readonly shown: string } | undefined
  place: Place
  onGo: (to: Place) => void
  loading: string
  /** The permission of the organization that it takes to see the list. */
  needs?: string | undefined
  /** Whether something was chosen that leaves others out; `onClear` takes it back. */
  isNarrowed: boolean
  onClear: () => void
  noMatch: { readonly title: string; readonly text?: string; readonly clear: string }
  /** When there is nothing at all yet. */
  none: ReactNode
  children: (items: readonly Item[]) => ReactNode
}

/** A page of a list with the ways to the other pages, in every state that it can be in. */
export function List<Item>(props: Props<Item>) {
  const { query, list, place, onGo, loading, needs, isNarrowed, onClear, noMatch, none, children } = props
  const { error, refetch } = query
  if (!list) {
    if (error) {
      const toFirst = place.cursor === undefined ? undefined : () => onGo(firstPlace)
      return <Failure error={error} retry={refetch} needs={needs} toFirst={toFirst} />
    }
    return <Waiting label={loading} rows={12} />
  }
  const { items, nextCursor, shown } = list
  return (
    <>
      {error ? <Stale retry={refetch} /> : null}
      {items.length > 0 ? (
        <>
          {children(items)}
          <Pager
            place={place}
            nextCursor={nextCursor}
            shown={shown}
            onNext={() => nextCursor && onGo(nextPlace(place, nextCursor))}
            onPrevious={() => onGo(previousPlace(place))}
          />
        </>
      ) : isNarrowed || place.cursor ? (
        <Empty title={noMatch.title} {...(noMatch.text && { text: noMatch.text })}>
          <Button variant="default" onClick={onClear}>
            {noMatch.clear}
          </Button>
        </Empty>
      ) : (
        none
      )}
    </>
  )
}
