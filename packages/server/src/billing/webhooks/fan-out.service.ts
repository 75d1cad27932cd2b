import type { Tx } from '../../db/database.ts'
import { newId } from '../../ids.ts'
import { callFor } from '../../jobs.ts'
import type { EventRow } from '../../outbox.ts'
import { accountPayloads } from './account-payload.ts'
import { messageOf } from './message.ts'
import { listInstallationListeners, listListeners } from './webhook-endpoint.repository.ts'
import { insertMessages } from './webhook-message.repository.ts'
import { isFor, isWebhookType } from './webhook-types.ts'

/** The job that sends what waits for an endpoint: its id keeps it single, whatever number of processes run. */
export const endpointJob = ({ id, organizationId }: { readonly id: string; readonly organizationId: string }) =>
  ({ id: `webhook-endpoint ${id}`, kind: 'webhook-endpoint', payload: id, organizationId }) as const

/**
 * Writes a message for every endpoint that is to hear of what a transaction has done, and calls for the jobs that send
 * them; all of it commits, or vanishes, with the change (WH-10). Called last in the transaction.
 */
export async function tellEndpoints(tx: Tx, all: readonly EventRow[]): Promise<void> {
  const events = all.filter(({ type }) => isWebhookType(type))
  if (events.length === 0) return
  const concerned = events.flatMap(({ merchantId, organizationId }) => merchantId ?? organizationId ?? [])
  const listeners = await (concerned.length === 0
    ? listInstallationListeners(tx)
    : listListeners(tx, [...new Set(concerned)]))
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
  const now = messages.at(-1)!.createdAt
  const called = new Set(messages.map(({ endpointId }) => endpointId))
  for (const endpoint of listeners) if (called.has(endpoint.id)) await callFor(tx, now, endpointJob(endpoint))
}
