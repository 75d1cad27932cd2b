import { z } from 'zod'
import { timestamp } from './fields.ts'

const person = z.object({ id: z.string(), name: z.string(), email: z.string() })

/** What happened, as audit logs and timelines show it; who did it or whom it was done to may be gone. */
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

/** The same as its members see what happened in an organization: of who is no member of it there is nothing but the id. */
export const organizationEvent = auditEvent.extend({
  /** Whether somebody did it who is no member, and administers the installation. */
  byAdministrator: z.boolean(),
})
