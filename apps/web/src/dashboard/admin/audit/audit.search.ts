import { pageIn, pageSize } from '../../paging.ts'
import type { EventsQuery } from '../../queries/events.ts'
import { textIn } from '../../search.ts'

/** The address of the audit log. */
export type AuditSearch = {
  type?: string | undefined
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
  const page = cursor ? pageIn(given.page) : undefined
  return {
    ...(type && { type }),
    ...(actor && { actor }),
    ...(user && { user }),
    ...(organization && { organization }),
    ...(cursor && { cursor }),
    ...(page && { page }),
  }
}

export function eventsQueryOf({ type, actor, user, organization, cursor }: AuditSearch): EventsQuery {
  return {
    limit: pageSize,
    ...(type && { type }),
    ...(actor && { actorId: actor }),
    ...(user && { userId: user }),
    ...(organization && { organizationId: organization }),
    ...(cursor && { cursor }),
  }
}

/** The address of the same events as a file, all pages included. */
export function exportAddress({ cursor: _, page: __, ...filter }: AuditSearch): string {
  const named = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const query = new URLSearchParams(named).toString()
  return `/admin/audit/export${query && `?${query}`}`
}
