import { pageIn } from '../../paging.ts'
import { organizationsQuery } from '../../queries/organizations.ts'
import { choice, defineAdminResource, text } from '../../resource.ts'
import { textIn } from '../../search.ts'

/** An organization's approval status. */
export const standings = ['waiting', 'approved', 'none'] as const
export type Standing = (typeof standings)[number]

export const organizations = defineAdminResource({
  sorts: ['-created', 'created', 'name', '-name'],
  fields: { created: 'createdAt', name: 'name' },
  filters: { q: text((searchValue) => ({ searchValue })), selling: choice(standings, (selling) => ({ selling })) },
  page: organizationsQuery,
})

/** The address of an organization's members. */
export type MembersSearch = { q?: string | undefined; page?: number | undefined }

export function membersSearchIn(given: Readonly<Record<string, unknown>>): MembersSearch {
  const q = textIn(given.q)
  const page = pageIn(given.page)
  return { ...(q && { q }), ...(page && { page }) }
}
