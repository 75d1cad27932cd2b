import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { firstPlace, nextPlace, type Place, previousPlace } from '../paging.ts'
import { Pager } from './pager.tsx'
import { Empty, Failure, Stale, Waiting } from './states.tsx'

type Props<Item> = {
  query: Pick<UseQueryResult, 'error' | 'refetch'>
  /** The answer, once loaded; `shown` is the visible range. */
  list: { readonly items: readonly Item[]; readonly nextCursor: string | null; readonly shown: string } | undefined
  place: Place
  onGo: (to: Place) => void
  loading: string
  /** The organization permission to see the list. */
  needs?: string | undefined
  /** Whether filters are active; `onClear` resets them. */
  isNarrowed: boolean
  onClear: () => void
  noMatch: { readonly title: string; readonly text?: string; readonly clear: string }
  /** The empty state. */
  none: ReactNode
  children: (items: readonly Item[]) => ReactNode
}

/** A page of a list with its pager, in every state. */
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
