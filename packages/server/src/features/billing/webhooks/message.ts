import type { Id } from '../../../foundation/db/database.ts'
import type { EventRow } from '../../../foundation/outbox.ts'
import type { NewMessage } from './webhook-message.repository.ts'
import { toldAs } from './webhook-types.ts'

/** A new message for an endpoint about an event, due now. */
export const messageOf = (
  id: string,
  endpoint: { readonly id: Id<'webhookEndpoint'>; readonly organizationId: Id<'organization'> },
  event: Pick<EventRow, 'id' | 'type' | 'merchantId' | 'subjectId' | 'organizationId' | 'userId'>,
  payload: string | null,
  now: Date,
): NewMessage => ({
  id,
  endpointId: endpoint.id,
  organizationId: endpoint.organizationId,
  eventId: event.id,
  type: toldAs(event),
  // Events of one organization or account keep their order too.
  subjectId: event.subjectId ?? event.organizationId ?? event.userId,
  payload,
  state: 'pending',
  attempts: 0,
  failures: 0,
  nextAttemptAt: now,
  createdAt: now,
})
