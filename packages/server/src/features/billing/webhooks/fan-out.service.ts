import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newId } from '../../../foundation/ids.ts'
import { callFor } from '../../../foundation/jobs.ts'
import type { EventRow } from '../../../foundation/outbox.ts'
import { lastOf } from '../../../foundation/proof/proven.ts'
import { accountPayloads } from './account-payload.ts'
import { listInstallationListeners, listListeners } from './webhook-endpoint.repository.ts'
import { insertMessages, type NewMessage } from './webhook-message.repository.ts'
import { isFor, isWebhookType, webhookTypeOf } from './webhook-types.ts'

type Endpoint = { readonly id: Id<'webhookEndpoint'>; readonly organizationId: Id<'organization'> }

/** The job that sends an endpoint's messages. Its id keeps it single across all processes. */
export const endpointJob = ({ id, organizationId }: Endpoint) =>
  ({ id: `webhook-endpoint ${id}`, kind: 'webhook-endpoint', payload: id, organizationId }) as const

type Listeners = Awaited<ReturnType<typeof listListeners>>

/** What a transaction has read of the endpoints of an organization before its events. */
const foreseen = new WeakMap<Tx, Map<string, Listeners>>()

/** Reads the endpoints that events of an organization will concern, before the transaction takes a lock that others wait for. */
export async function foreseeEvents(tx: Tx, organizationId: Id<'organization'>): Promise<void> {
  const known = foreseen.get(tx) ?? new Map<string, Listeners>()
  foreseen.set(tx, known)
  if (!known.has(organizationId)) known.set(organizationId, await listListeners(tx, [organizationId]))
}

async function listenersTo(tx: Tx, organizationIds: readonly Id<'organization'>[]): Promise<Listeners> {
  const [only, ...others] = new Set(organizationIds)
  if (only === undefined) return listInstallationListeners(tx)
  const known = others.length === 0 ? foreseen.get(tx)?.get(only) : undefined
  return known ?? listListeners(tx, [only, ...others])
}

/**
 * Writes a message for every endpoint subscribed to an event of the transaction, and queues the jobs that send them.
 * All of it commits or rolls back with the change (WH-10). Call it last in the transaction.
 */
export async function tellEndpoints(tx: Tx, all: readonly EventRow[]): Promise<void> {
  const events = all.filter(({ type }) => isWebhookType(type))
  if (events.length === 0) return
  const concerned = events.flatMap(({ merchantId, organizationId }) => merchantId ?? organizationId ?? [])
  const listeners = await listenersTo(tx, concerned)
  if (listeners.length === 0) return

  const heard = events.map((event) => ({ event, by: listeners.filter((listener) => isFor(listener, event)) }))
  const payloads = await accountPayloads(
    tx,
    heard.flatMap(({ event, by }) => (by.length > 0 ? [event] : [])),
  )
  const messages = heard.flatMap(({ event, by }) =>
    by.map((endpoint) => messageOf(newId(), endpoint, event, payloads.get(event.id) ?? null, event.createdAt)),
  )
  if (messages.length === 0) return
  await insertMessages(tx, messages)
  const now = lastOf(messages, 'an event has messages').createdAt
  const called = new Set(messages.map(({ endpointId }) => endpointId))
  for (const endpoint of listeners) if (called.has(endpoint.id)) await callFor(tx, now, endpointJob(endpoint))
}

/** A new message for an endpoint about an event, due now. */
export const messageOf = (
  id: string,
  endpoint: Endpoint,
  event: Pick<EventRow, 'id' | 'type' | 'merchantId' | 'subjectId' | 'organizationId' | 'userId'>,
  payload: string | null,
  now: Date,
): NewMessage => ({
  id,
  endpointId: endpoint.id,
  organizationId: endpoint.organizationId,
  eventId: event.id,
  type: webhookTypeOf(event),
  // Events of one organization or account keep their order too.
  subjectId: event.subjectId ?? event.organizationId ?? event.userId,
  payload,
  state: 'pending',
  attempts: 0,
  failures: 0,
  nextAttemptAt: now,
  createdAt: now,
})
