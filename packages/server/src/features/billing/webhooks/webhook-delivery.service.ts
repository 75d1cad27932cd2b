import type { WebhookEvent } from '@tollgate/contract/billing-types'
import { webhookEventTypes } from '@tollgate/contract/events'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newId } from '../../../foundation/ids.ts'
import { callFor } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { accountPayloads } from './account-payload.ts'
import { endpointJob, messageOf } from './fan-out.service.ts'
import { requireEnabled, sourcesOf } from './replay.service.ts'
import { lockOwn, mayCoverInstallation, readsSecrets, requireHearing } from './webhook.service.ts'
import { findAttempt, pageOfAttempts } from './webhook-attempt.repository.ts'
import { bodyOf, lacksClientSecret, withClientSecret } from './webhook-body.ts'
import { type EndpointRow, findEndpoint, lockEndpoint } from './webhook-endpoint.repository.ts'
import { newestEvent } from './webhook-event.repository.ts'
import { examplePayload } from './webhook-example.ts'
import { findMessage, insertMessages, listMessagesOf, requeueMessages } from './webhook-message.repository.ts'
import { mayHear } from './webhook-types.ts'
import { hostOf, toDelivery, toDeliveryDetail, toEvent } from './webhook-view.ts'

/**
 * Past deliveries, with payloads and responses for readers of their event types. Deliveries of installation-wide
 * endpoints need the right to manage those.
 */
export const listWebhookDeliveries: BillingHandler<'listWebhookDeliveries'> = async ({ ctx, query, ...asker }) => {
  const reader = {
    organizationId: asker.seller.organizationId,
    seesInstallation: mayCoverInstallation(ctx, asker),
    readable: webhookEventTypes.filter((type) => mayHear(asker.seller, type)),
  }
  const { rows, pagination } = await pageOfAttempts(ctx.database.lists, reader, query)
  return { items: rows.map((row) => toDelivery(row, mayHear(asker.seller, row.type))), pagination }
}

/** What views show in place of a checkout's client secret, which only the receiver gets. */
const redacted = '[redacted]'

/** An attempt with its request and response; the body is in the endpoint's format, without a checkout's client secret. */
export const getWebhookDelivery: BillingHandler<'getWebhookDelivery'> = async ({ ctx, params: { id }, ...asker }) => {
  const { organizationId } = asker.seller
  const row = await findAttempt(ctx.db, organizationId, mayCoverInstallation(ctx, asker), id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  const { told: payload, type, happenedAt, messageCreatedAt, endpointId } = row
  const endpoint = await findEndpoint(ctx.db, organizationId, endpointId)
  const url = endpoint && readsSecrets(ctx, asker, endpoint) ? row.url : hostOf(row.url)
  if (payload === null || !mayHear(asker.seller, type))
    return toDeliveryDetail({ ...row, url }, false, { body: null, isRedacted: false })
  const format = row.format
  const place = { origin: ctx.config.baseURL.origin, organizationSlug: row.organizationSlug }
  // Only the raw format carries the secret.
  const isRedacted = format === 'raw' && lacksClientSecret(payload)
  const shown = isRedacted ? withClientSecret(payload, place.origin, redacted) : payload
  const body = bodyOf(format, { type, payload: shown, createdAt: happenedAt ?? messageCreatedAt }, place).toString()
  return toDeliveryDetail({ ...row, url }, true, { body, isRedacted })
}

/**
 * Sends the newest event of a type to one endpoint, or an example if there is no recent one. By default the type is
 * the endpoint's first.
 */
export const testWebhookEndpoint: BillingHandler<'testWebhookEndpoint'> = async ({ ctx, params, body, ...asker }) => {
  const { id } = params
  const { type: asked } = body
  const before = await findEndpoint(ctx.db, asker.seller.organizationId, id)
  if (!before) throw new TollgateError('RESOURCE_NOT_FOUND')
  requireEnabled(before)
  const type = asked ?? before.events[0] ?? 'product.updated'
  requireHearing(asker, [type])
  // The caller must be allowed to subscribe to the type; examples contain no real data.
  const [source] = sourcesOf({ ...before, events: [type] })
  const newest = source && (await newestEvent(ctx.db, before.organizationId, source))
  return ctx.transaction(async (tx) => {
    const endpoint = await lockOwn(ctx, tx, asker, id)
    requireEnabled(endpoint)
    const now = ctx.clock.now()
    const known = newest && (await findMessage(tx, id, newest.id))
    if (known) await requeueMessages(tx, [known.id], now)
    else {
      const noSubject = { subjectId: null, organizationId: null, userId: null }
      const event = newest ?? { id: `example_${newId()}`, type, merchantId: before.organizationId, ...noSubject }
      const payload = newest ? (await accountPayloads(tx, [newest])).get(newest.id) : examplePayload(type)
      await insertMessages(tx, [messageOf(newId(), endpoint, event, payload ?? null, now)])
      return called(tx, now, endpoint, event.id)
    }
    return called(tx, now, endpoint, known.eventId)
  })
}

/** Sends an event again to all enabled endpoints that it was for, or to one of them. */
export const redeliverWebhookEvent: BillingHandler<'redeliverWebhookEvent'> = async ({
  ctx,
  params: { id: eventId },
  body: { endpointId },
  ...asker
}) => {
  const { organizationId } = asker.seller
  return ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const seesInstallation = mayCoverInstallation(ctx, asker)
    const messages = (await listMessagesOf(tx, organizationId, eventId)).filter(
      (message) =>
        (endpointId == null || message.endpointId === endpointId) && (seesInstallation || !message.coversInstallation),
    )
    if (messages.length === 0) throw new TollgateError('RESOURCE_NOT_FOUND')
    requireHearing(
      asker,
      messages.map(({ type }) => type),
    )
    let answer: WebhookEvent | undefined
    for (const { id, endpointId: to } of messages.filter(({ enabled }) => enabled)) {
      const endpoint = await lockEndpoint(tx, organizationId, to)
      if (!endpoint?.enabled) continue
      await requeueMessages(tx, [id], now)
      answer ??= await called(tx, now, endpoint, eventId)
      await callFor(tx, now, endpointJob(endpoint))
    }
    if (!answer) throw invalid({ loc: ['path', 'id'], msg: 'Enable its endpoints first', type: 'disabled' })
    return answer
  })
}

/** Queues the job of an endpoint, and returns its pending message. */
async function called(tx: Tx, now: Date, endpoint: EndpointRow, eventId: Id<'event'>): Promise<WebhookEvent> {
  await callFor(tx, now, endpointJob(endpoint))
  return toEvent(proven(await findMessage(tx, endpoint.id, eventId), 'it was written in this transaction'), true)
}
