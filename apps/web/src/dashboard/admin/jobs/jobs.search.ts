import { pageIn, pageSize } from '../../paging.ts'
import type { DeadJobsQuery } from '../../queries/jobs.ts'
import { textIn } from '../../search.ts'

/** The address of the list of dead jobs. */
export type JobsSearch = {
  kind?: string | undefined
  cursor?: string | undefined
  page?: number | undefined
}

export function jobsSearchIn(given: Readonly<Record<string, unknown>>): JobsSearch {
  const kind = textIn(given.kind, 64)
  const cursor = textIn(given.cursor, 1024)
  const page = cursor ? pageIn(given.page) : undefined
  return { ...(kind && { kind }), ...(cursor && { cursor }), ...(page && { page }) }
}

export const jobsQueryOf = ({ kind, cursor }: JobsSearch): DeadJobsQuery => ({
  limit: pageSize,
  ...(kind && { kind }),
  ...(cursor && { cursor }),
})
