import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageHead } from '../parts/page-head.tsx'
import { Failure, Stale, Waiting } from '../parts/states.tsx'
import { CallError } from '../queries/answer.ts'
import type { itemQuery } from '../queries/billing.ts'

type Props<Data> = {
  query: ReturnType<typeof itemQuery<Data>>
  /** The way back to the list. */
  back: ReactNode
  words: { readonly loading: string; readonly gone: { readonly title: string; readonly text: string } }
  children: (data: Data) => ReactNode
}

/** A page about one thing: what it shows until that is there, or when it is not to be had. */
export function Detail<Data>({ query, back, words, children }: Props<Data>) {
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

/** What a link back to a list shows. */
export const BackTo = ({ list }: { list: string }) => (
  <>
    <IconArrowLeft size={15} stroke={1.6} aria-hidden />
    {list}
  </>
)
