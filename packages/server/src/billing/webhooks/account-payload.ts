import { toWire } from '@tollgate/contract/billing'
import type { Db } from '../../db/database.ts'
import type { EventRow } from '../../outbox.ts'
import { listPublicOrganizations, listPublicUsers } from './webhook-event.repository.ts'

/** An event as it is written, or as it is read. */
export type Happened = Omit<EventRow, 'data'> & { readonly data: unknown }

const distinct = (ids: readonly (string | null)[]): string[] => [
  ...new Set(ids.filter((id): id is string => id !== null)),
]

/**
 * What is told of events of accounts and organizations, by their ids: what changed, and the public fields of whom it
 * concerns as they are now; nothing of whoever has gone. Events of what is sold hold their own.
 */
export async function accountPayloads(db: Db, events: readonly Happened[]): Promise<Map<string, string>> {
  const told = events.filter(({ merchantId }) => merchantId === null)
  const userIds = distinct(told.map(({ userId }) => userId))
  const organizationIds = distinct(told.map(({ organizationId }) => organizationId))
  const users = userIds.length === 0 ? [] : await listPublicUsers(db, userIds)
  const organizations = organizationIds.length === 0 ? [] : await listPublicOrganizations(db, organizationIds)
  const userOf = new Map(users.map((user) => [user.id, user]))
  const organizationOf = new Map(organizations.map((organization) => [organization.id, organization]))
  return new Map(
    told.map(({ id, userId, organizationId, actorId, data }) => {
      const details: unknown = typeof data === 'string' ? JSON.parse(data) : data
      const shown = {
        userId,
        organizationId,
        actorId,
        details: details ?? {},
        user: (userId !== null && userOf.get(userId)) || null,
        organization: (organizationId !== null && organizationOf.get(organizationId)) || null,
      }
      // Through JSON first: times become texts.
      return [id, JSON.stringify(toWire(JSON.parse(JSON.stringify(shown))))]
    }),
  )
}
