import type { ClientError, TollgateClient } from '@tollgate/client'
import { useEffect, useState } from 'react'
import { useTollgate } from './use-session.ts'

/** Reads what was not given; the same function each time, or it is called again. */
export type Read<Data> = (
  client: TollgateClient,
  signal: AbortSignal,
) => Promise<{ data: Data | null; error: ClientError | null }>

/** What the server has rendered the page with, else what the client reads; `retry` reads (again). */
export function useGiven<Data>(given: Data | undefined, read: Read<Data>) {
  const client = useTollgate()
  const [data, setData] = useState(given)
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    if (given && attempt === 0) return
    const abort = new AbortController()
    read(client, abort.signal).then((answer) => {
      if (abort.signal.aborted) return
      setFailed(answer.error !== null)
      if (answer.data) setData(answer.data)
    })
    return () => abort.abort()
  }, [client, given, attempt, read])

  return { data, setData, failed, retry: () => setAttempt((count) => count + 1) }
}
