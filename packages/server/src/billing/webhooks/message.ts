import type { EventRow } from '../../outbox.ts'
import type { NewMessage } from './webhook-message.repository.ts'
import { toldAs } from './webhook-types.ts'

/** An event as a new message for an endpoint, which is sent at once. */
export const messageOf = (
  id: string,
  endpoint: { readonly id: string; readonly organizationId: string },
  event: Pick<EventRow, 'id' | 'type' | 'merchantId' | 'subjectId' | 'organizationId' | 'userId'>,
  payload: string | null,
  now: Date,
): NewMessage => ({
  id,
  endpointId: endpoint.id,
  organizationId: endpoint.organizationId,
  eventId: event.id,
  type: toldAs(event),
  // What happens in an organization, or to an account, is told in its order, too.
  subjectId: event.subjectId ?? event.organizationId ?? event.userId,
  payload,
  state: 'pending',
  attempts: 0,
  failures: 0,
  nextAttemptAt: now,
  createdAt: now,
})
