import { z } from 'zod'
import type { Db } from '../../../foundation/db/database.ts'
import { toWire } from '../../../foundation/http/wire-shape.ts'
import type { EventRow } from '../../../foundation/outbox.ts'
import { listPublicOrganizations, listPublicUsers } from './webhook-event.repository.ts'

const distinct = (ids: readonly (string | null)[]): string[] => [
  ...new Set(ids.filter((id): id is string => id !== null)),
]

/** Metadata of an organization has keys of its owner's choice. */
const payload = z.object({ organization: z.object({ metadata: z.record(z.string(), z.unknown()) }) })

/**
 * The payloads of account and organization events, by event id: the event's details, and the current public fields of
 * the user and the organization. Deleted ones are null. Billing events store their payload themselves.
 */
export async function accountPayloads(db: Db, events: readonly EventRow[]): Promise<Map<string, string>> {
  const told = events.filter(({ merchantId }) => merchantId === null)
  const userIds = distinct(told.map(({ userId }) => userId))
  const organizationIds = distinct(told.map(({ organizationId }) => organizationId))
  const users = userIds.length === 0 ? [] : await listPublicUsers(db, userIds)
  const organizations = organizationIds.length === 0 ? [] : await listPublicOrganizations(db, organizationIds)
  const userOf = new Map(users.map((user) => [user.id, user]))
  const organizationOf = new Map(organizations.map((organization) => [organization.id, organization]))
  return new Map(
    told.map(({ id, userId, organizationId, actorId, data }) => {
      const shown = {
        userId,
        organizationId,
        actorId,
        details: data ?? {},
        user: (userId !== null && userOf.get(userId)) || null,
        organization: (organizationId !== null && organizationOf.get(organizationId)) || null,
      }
      // JSON turns dates into strings.
      return [id, JSON.stringify(toWire(JSON.parse(JSON.stringify(shown)), payload))]
    }),
  )
}
