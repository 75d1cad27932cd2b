import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
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
  children: (data: Data) => ReactNode
}

/** A page about one thing: what it shows until that is there, or when it is not to be had. */
export function Detail<Data, Key extends QueryKey>({ query, back, words, children }: Props<Data, Key>) {
  const { data, error, refetch } = useQuery(query)
  if (data !== undefined) {
    return (
      <>
        {error ? <Stale retry={refetch} /> : null}
        {children(data)}
      </>
    )
  }
  // What is no id at all is refused with 422.
  if (error instanceof CallError && (error.status === 404 || error.status === 422))
    return <PageHead title={words.gone.title} text={words.gone.text} above={back} />
  if (error) return <Failure error={error} retry={refetch} />
  return <Waiting label={words.loading} rows={6} />
}
