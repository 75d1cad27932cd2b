import { pageIn, pageSize } from '../../paging.ts'
import type { OpenDisputesQuery } from '../../queries/disputes.ts'
import { textIn } from '../../search.ts'

/** The address of the list of open disputes. */
export type DisputesSearch = { cursor?: string | undefined; page?: number | undefined }

export function disputesSearchIn(given: Readonly<Record<string, unknown>>): DisputesSearch {
  const cursor = textIn(given.cursor, 1024)
  const page = cursor ? pageIn(given.page) : undefined
  return { ...(cursor && { cursor }), ...(page && { page }) }
}

export const disputesQueryOf = ({ cursor }: DisputesSearch): OpenDisputesQuery => ({
  limit: pageSize,
  ...(cursor && { cursor }),
})
