import { z } from 'zod'
import { timestamp } from './fields.ts'

const person = z.object({ id: z.string(), name: z.string(), email: z.string() })

/** An event in audit logs and timelines. Its actor and its user may no longer exist. */
export const auditEvent = z.object({
  id: z.string(),
  type: z.string(),
  actorId: z.string().nullable(),
  actor: person.nullable(),
  userId: z.string().nullable(),
  user: person.nullable(),
  organizationId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).nullable(),
  createdAt: timestamp,
})

/** The same event for administrators of the installation, with the name of its organization while that exists. */
export const administratorEvent = auditEvent.extend({
  organization: z.object({ id: z.string(), name: z.string() }).nullable(),
})

/** The same event for members of the organization: for users outside of it, only the id. */
export const organizationEvent = auditEvent.extend({
  /** Whether an administrator of the installation acted, who is no member. */
  byAdministrator: z.boolean(),
})
