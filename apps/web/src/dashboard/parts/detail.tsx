import { hashKey, type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CallError } from '../queries/answer.ts'
import { PageHead } from './page-head.tsx'
import { Failure, Stale, Waiting } from './states.tsx'

export type DetailWords = {
  readonly loading: string
  readonly gone: { readonly title: string; readonly text: string }
}

type Props<Data, Key extends QueryKey> = {
  query: UseQueryOptions<Data, Error, Data, Key>
  /** The way back to the list. */
  back: ReactNode
  words: DetailWords
  /** The queries of its panels, run together: the page appears complete, so that no panel moves another. */
  parts?: readonly Part[]
  children: (data: Data) => ReactNode
}

type Part = Pick<UseQueryResult, 'isLoading' | 'isPlaceholderData' | 'failureCount'>

/** A failed query no longer delays the page; its panel shows the error. */
const isOnItsWay = ({ isLoading, isPlaceholderData, failureCount }: Part): boolean =>
  (isLoading || isPlaceholderData) && failureCount === 0

/** A detail page with its loading and error states. */
export function Detail<Data, Key extends QueryKey>({ query, back, words, parts = [], children }: Props<Data, Key>) {
  const { data, error, refetch } = useQuery(query)
  const thing = hashKey(query.queryKey)
  const [shown, setShown] = useState<string>()
  // Once shown, it stays while a panel refetches.
  if (data !== undefined && shown !== thing && !parts.some(isOnItsWay)) setShown(thing)
  if (data !== undefined && shown === thing) {
    return (
      <>
        {error ? <Stale retry={refetch} /> : null}
        {children(data)}
      </>
    )
  }
  // A malformed id answers 422.
  if (error instanceof CallError && (error.status === 404 || error.status === 422))
    return <PageHead title={words.gone.title} text={words.gone.text} above={back} />
  if (error && data === undefined) return <Failure error={error} retry={refetch} />
  return <Waiting label={words.loading} rows={6} />
}
