import { type WebhookFormat, webhookEventTypes } from '@tollgate/contract/billing'
import type {
  BillingAnswer,
  ParsedBillingBody,
  ParsedBillingQuery,
  WebhookDelivery,
  WebhookEvent,
} from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { TollgateError } from '../../error.ts'
import { newId } from '../../ids.ts'
import { callFor } from '../../jobs.ts'
import { invalid } from '../invalid.ts'
import { accountPayloads } from './account-payload.ts'
import { endpointJob } from './fan-out.service.ts'
import { messageOf } from './message.ts'
import { requireEnabled, sourcesOf } from './replay.service.ts'
import { type Asker, lockOwn, mayCoverInstallation, readsSecrets, requireHearing } from './webhook.service.ts'
import { findAttempt, pageOfAttempts } from './webhook-attempt.repository.ts'
import { bodyOf } from './webhook-body.ts'
import { type EndpointRow, findEndpoint, lockEndpoint } from './webhook-endpoint.repository.ts'
import { newestEvent } from './webhook-event.repository.ts'
import { examplePayload } from './webhook-example.ts'
import { findMessage, insertMessages, listMessagesOf, requeueMessages } from './webhook-message.repository.ts'
import { mayHear, wants } from './webhook-types.ts'
import { hostOf, toDelivery, toDeliveryDetail, toEvent } from './webhook-view.ts'

/**
 * What has been sent, and for whoever may let it be told what it said; what the whole installation was told is nobody else's at
 * all.
 */
export async function listWebhookDeliveries(
  ctx: Context,
  asker: Asker,
  query: ParsedBillingQuery<'listWebhookDeliveries'>,
): Promise<BillingAnswer<'listWebhookDeliveries'>> {
  const reader = {
    organizationId: asker.seller.organizationId,
    seesInstallation: mayCoverInstallation(ctx, asker),
    readable: webhookEventTypes.filter((type) => mayHear(asker.seller, type)),
  }
  const { rows, pagination } = await pageOfAttempts(ctx.database.lists, reader, query)
  return { items: rows.map((row) => toDelivery(row, mayHear(asker.seller, row.type))), pagination }
}

/** An attempt with what was asked and answered; the body as its format has it. */
export async function getWebhookDelivery(ctx: Context, asker: Asker, id: string): Promise<WebhookDelivery> {
  const { organizationId } = asker.seller
  const row = await findAttempt(ctx.db, organizationId, mayCoverInstallation(ctx, asker), id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  const { told: payload, type, happenedAt, messageCreatedAt, endpointId } = row
  const endpoint = await findEndpoint(ctx.db, organizationId, endpointId)
  const url = endpoint && readsSecrets(ctx, asker, endpoint) ? row.url : hostOf(row.url)
  if (payload === null || !mayHear(asker.seller, type)) return toDeliveryDetail({ ...row, url }, false, null)
  const format = row.format as WebhookFormat // written from its schema
  const place = { origin: ctx.config.baseURL.origin, organizationSlug: row.organizationSlug }
  const body = bodyOf(format, { type, payload, createdAt: happenedAt ?? messageCreatedAt }, place)
  return toDeliveryDetail({ ...row, url }, true, body.toString())
}

/**
 * Sends the newest event of a kind to one endpoint, or an example where none has happened lately. The kind is the first that
 * the endpoint wants to hear where none is named.
 */
export async function testWebhookEndpoint(
  ctx: Context,
  asker: Asker,
  id: string,
  { type: asked }: ParsedBillingBody<'testWebhookEndpoint'>,
): Promise<WebhookEvent> {
  const before = await findEndpoint(ctx.db, asker.seller.organizationId, id)
  if (!before) throw new TollgateError('RESOURCE_NOT_FOUND')
  requireEnabled(before)
  const type = asked ?? wants(before)[0] ?? 'product.updated'
  requireHearing(asker, [type])
  // Only of what the endpoint may hear; examples are made of nothing.
  const [source] = sourcesOf({ ...before, events: [type] })
  const newest = source && (await newestEvent(ctx.db, before.organizationId, source))
  return ctx.transaction(async (tx) => {
    const endpoint = await lockOwn(ctx, tx, asker, id)
    requireEnabled(endpoint)
    const now = ctx.clock.now()
    const known = newest && (await findMessage(tx, id, newest.id))
    if (known) await requeueMessages(tx, [known.id], now)
    else {
      const nobody = { subjectId: null, organizationId: null, userId: null }
      const event = newest ?? { id: `example_${newId()}`, type, merchantId: before.organizationId, ...nobody }
      const payload = newest ? (await accountPayloads(tx, [newest])).get(newest.id) : examplePayload(type)
      await insertMessages(tx, [messageOf(newId(), endpoint, event, payload ?? null, now)])
      return called(tx, now, endpoint, event.id)
    }
    return called(tx, now, endpoint, known.eventId)
  })
}

/** Sends an event again to every endpoint that it was for and that is on, or to one of them. */
export async function redeliverWebhookEvent(
  ctx: Context,
  asker: Asker,
  eventId: string,
  { endpointId }: ParsedBillingBody<'redeliverWebhookEvent'>,
): Promise<WebhookEvent> {
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
    if (!answer)
      throw invalid({ loc: ['path', 'id'], msg: 'Its endpoints should be switched on first', type: 'disabled' })
    return answer
  })
}

/** Calls for the job of an endpoint, and shows the message that it is to send. */
async function called(tx: Tx, now: Date, endpoint: EndpointRow, eventId: string): Promise<WebhookEvent> {
  await callFor(tx, now, endpointJob(endpoint))
  return toEvent((await findMessage(tx, endpoint.id, eventId))!, true) // written in this transaction, and asked for
}
