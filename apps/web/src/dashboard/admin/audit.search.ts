import { pageIn, pageSize } from '../paging.ts'
import type { EventsQuery } from '../queries/events.ts'
import { textIn } from '../search.ts'

/** How the audit log stands in its address. */
export type AuditSearch = {
  type?: string | undefined
  /** Ids. */
  actor?: string | undefined
  user?: string | undefined
  cursor?: string | undefined
  page?: number | undefined
}

export function auditSearchIn(given: Readonly<Record<string, unknown>>): AuditSearch {
  const [type, actor, user, cursor] = [given.type, given.actor, given.user, given.cursor].map((each) =>
    textIn(each, 64),
  )
  const page = cursor ? pageIn(given.page) : undefined
  return {
    ...(type && { type }),
    ...(actor && { actor }),
    ...(user && { user }),
    ...(cursor && { cursor }),
    ...(page && { page }),
  }
}

export function eventsQueryOf({ type, actor, user, cursor }: AuditSearch): EventsQuery {
  return {
    limit: pageSize,
    ...(type && { type }),
    ...(actor && { actorId: actor }),
    ...(user && { userId: user }),
    ...(cursor && { cursor }),
  }
}
