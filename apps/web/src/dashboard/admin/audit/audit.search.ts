import { pageIn, pageSize } from '../../paging.ts'
import type { EventsQuery } from '../../queries/events.ts'
import { textIn } from '../../search.ts'

/** The address of the audit log. */
export type AuditSearch = {
  type?: string | undefined
  /** Default: accounts and organizations. A type needs no area. */
  area?: 'sales' | 'all' | undefined
  /** Ids. */
  actor?: string | undefined
  user?: string | undefined
  organization?: string | undefined
  cursor?: string | undefined
  page?: number | undefined
}

export function auditSearchIn(given: Readonly<Record<string, unknown>>): AuditSearch {
  const names = ['type', 'actor', 'user', 'organization', 'cursor'] as const
  const [type, actor, user, organization, cursor] = names.map((name) => textIn(given[name], 64))
  const area = !type && (given.area === 'sales' || given.area === 'all') ? given.area : undefined
  const page = cursor ? pageIn(given.page) : undefined
  return {
    ...(type && { type }),
    ...(area && { area }),
    ...(actor && { actor }),
    ...(user && { user }),
    ...(organization && { organization }),
    ...(cursor && { cursor }),
    ...(page && { page }),
  }
}

/** The area to ask for; undefined for all events. */
const areaOf = ({ type, area }: AuditSearch) => (type || area === 'all' ? undefined : (area ?? 'accounts'))

export function eventsQueryOf(search: AuditSearch): EventsQuery {
  const { type, actor, user, organization, cursor } = search
  const area = areaOf(search)
  return {
    limit: pageSize,
    ...(type && { type }),
    ...(area && { area }),
    ...(actor && { actorId: actor }),
    ...(user && { userId: user }),
    ...(organization && { organizationId: organization }),
    ...(cursor && { cursor }),
  }
}

/** The address of the same events as a file, all pages included. */
export function exportAddress({ cursor: _, page: __, ...filter }: AuditSearch): string {
  const named = Object.entries({ ...filter, area: areaOf(filter) }).flatMap(([name, value]) =>
    value ? [[name, value]] : [],
  )
  const query = new URLSearchParams(named).toString()
  return `/admin/audit/export${query && `?${query}`}`
}
