import type { WebhookEndpoint } from '@tollgate/contract/billing-types'
import { after } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import type { SessionRow } from '../../../foundation/db/session-row.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { callFor } from '../../../foundation/jobs.ts'
import { actorOf } from '../../../foundation/outbox.ts'
import { lastOf } from '../../../foundation/proof/proven.ts'
import { isAdministrator } from '../../identity/access.ts'
import { requireOrganization } from '../../organization/membership.service.ts'
import { inBody, invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import type { Seller } from '../seller/seller.service.ts'
import { endpointJob } from './fan-out.service.ts'
import { skipWaiting } from './missed.ts'
import { type EndpointEvent, tellEndpoint } from './webhook-audit.ts'
import {
  countEndpoints,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  pageOfEndpoints,
  updateEndpointRow,
} from './webhook-endpoint.repository.ts'
import { countWaiting, forgetBatch, nothingWaits, skipPending } from './webhook-message.repository.ts'
import { patience } from './webhook-schedule.ts'
import { earlierSecretsOf, mostEarlier, newWebhookSecret, withOneMore } from './webhook-secrets.ts'
import { targetFault, targetRules } from './webhook-target.ts'
import { mayLetHear } from './webhook-types.ts'
import { sealedFor, toEndpoint } from './webhook-view.ts'

/** The caller: the seller, and the signed-in user. */
export type Asker = { readonly seller: Seller; readonly current: SessionRow | undefined }

/** Tokens and server code have no user. */
const actorIn = ({ current }: Asker): string | null => (current ? actorOf(current) : null)

/** Limited because every event reads all of them. */
const endpointLimit = 50

export const listWebhookEndpoints: BillingHandler<'listWebhookEndpoints'> = async ({ ctx, query, ...asker }) => {
  const { rows, pagination } = await pageOfEndpoints(ctx.db, asker.seller.organizationId, query)
  const ids = rows.map(({ id }) => id)
  const waiting = await countWaiting(ctx.db, ids, longFailed(ctx))
  return {
    items: rows.map((row) => toEndpoint(ctx, row, waiting.get(row.id) ?? nothingWaits, readsSecrets(ctx, asker, row))),
    pagination,
  }
}

/** Creates an endpoint; the organization's lock keeps the limit exact. */
export const createWebhookEndpoint: BillingHandler<'createWebhookEndpoint'> = async ({
  ctx,
  caller,
  body,
  ...asker
}) => {
  const { organizationId } = asker.seller
  const coversInstallation = body.coversInstallation ?? false
  if (coversInstallation) requireInstallation(ctx, asker)
  requireHearing(asker, body.events)
  requireTarget(ctx, body.url)
  const sealedSecret = ctx.secrets.seal(newWebhookSecret(), sealedFor)
  const row = await ctx.transaction(async (tx) => {
    await requireOrganization(tx, organizationId, 'RESOURCE_NOT_FOUND')
    if ((await countEndpoints(tx, organizationId)) >= endpointLimit)
      throw invalid(inBody('url', `An organization should have at most ${endpointLimit} webhook endpoints`, 'too_many'))
    const inserted = await insertEndpoint(tx, {
      id: newUuid(),
      organizationId,
      coversInstallation,
      name: body.name ?? null,
      url: body.url,
      format: body.format,
      sealedSecret,
      events: [...new Set(body.events)],
      locale: caller.locale,
      enabled: true,
      failedEvents: 0,
      createdAt: ctx.clock.now(),
    })
    await tellEndpoint(tx, inserted.createdAt, 'webhook_endpoint.created', inserted, actorIn(asker))
    return inserted
  })
  return toEndpoint(ctx, row, nothingWaits, true)
}

export const getWebhookEndpoint: BillingHandler<'getWebhookEndpoint'> = async ({ ctx, params: { id }, ...asker }) => {
  const row = await findEndpoint(ctx.db, asker.seller.organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return shown(ctx, ctx.db, asker, row)
}

/**
 * Changes an endpoint. Disabling it skips its pending messages; enabling it resets its failures. It cannot stop
 * covering the installation, because its history would become readable to the organization.
 */
export const updateWebhookEndpoint: BillingHandler<'updateWebhookEndpoint'> = async ({
  ctx,
  params: { id },
  body,
  ...asker
}) => {
  if (body.coversInstallation) requireInstallation(ctx, asker)
  requireHearing(asker, body.events ?? [])
  if (body.url != null) requireTarget(ctx, body.url)
  return ctx.transaction(async (tx) => {
    const before = await lockOwn(ctx, tx, asker, id)
    if (before.coversInstallation && body.coversInstallation === false)
      throw invalid(
        inBody('covers_installation', 'This cannot be changed. Delete the endpoint and create a new one', 'for_good'),
      )
    const now = ctx.clock.now()
    const changes = {
      // The new receiver has not asked for a pause.
      ...(body.url != null && { url: body.url, resumeAt: null }),
      ...(body.name !== undefined && { name: body.name }),
      ...(body.format != null && { format: body.format }),
      ...(body.events != null && { events: [...new Set(body.events)] }),
      ...(body.coversInstallation != null && { coversInstallation: body.coversInstallation }),
    }
    const turn = {
      ...(body.enabled === true &&
        !before.enabled && {
          enabled: true,
          disabledReason: null,
          failingSince: null,
          failedEvents: 0,
          resumeAt: null,
        }),
      ...(body.enabled === false && before.enabled && { enabled: false, disabledReason: 'by_hand' as const }),
    }
    const values = { ...changes, ...turn }
    const isChanged = Object.keys(values).length > 0
    let row = isChanged ? await updateEndpointRow(tx, id, { ...values, modifiedAt: now }) : before
    const tell = (type: EndpointEvent) => tellEndpoint(tx, now, type, row, actorIn(asker))
    if (Object.keys(changes).length > 0) await tell('webhook_endpoint.updated')
    if (!before.enabled && row.enabled) await tell('webhook_endpoint.enabled')
    if (row.enabled && (isChanged || body.enabled === true)) await callFor(tx, now, endpointJob(row))
    if (before.enabled && !row.enabled) {
      await tell('webhook_endpoint.disabled')
      row = await skipWaiting(tx, row, now)
    }
    return shown(ctx, tx, asker, row)
  })
}

/** Deletes an endpoint; its pending messages are not sent. */
export const deleteWebhookEndpoint: BillingHandler<'deleteWebhookEndpoint'> = async ({ ctx, params, ...asker }) => {
  const { id } = params
  await ctx.transaction(async (tx) => {
    await lockOwn(ctx, tx, asker, id)
    const now = ctx.clock.now()
    const deleted = await updateEndpointRow(tx, id, { enabled: false, deletedAt: now, modifiedAt: now })
    await tellEndpoint(tx, now, 'webhook_endpoint.deleted', deleted, actorIn(asker))
    await skipPending(tx, id, now)
  })
}

/**
 * Rotates an endpoint's secret. The previous one signs for another day, so that the receiver can switch without a gap.
 * Refuses while three earlier secrets still sign: dropping the oldest would break a receiver that uses it.
 */
export const rotateWebhookSecret: BillingHandler<'rotateWebhookSecret'> = async ({ ctx, params: { id }, ...asker }) => {
  const sealedSecret = ctx.secrets.seal(newWebhookSecret(), sealedFor)
  return ctx.transaction(async (tx) => {
    const before = await lockOwn(ctx, tx, asker, id)
    const now = ctx.clock.now()
    const earlier = earlierSecretsOf(before, now)
    if (earlier.length >= mostEarlier) throw tooManySecrets(lastOf(earlier, 'there are as many as allowed').expiresAt)
    const row = await updateEndpointRow(tx, id, {
      sealedSecret,
      ...withOneMore(before, now),
      resumeAt: null,
      modifiedAt: now,
    })
    await tellEndpoint(tx, now, 'webhook_endpoint.secret_rotated', row, actorIn(asker))
    await callFor(tx, now, endpointJob(row))
    return shown(ctx, tx, asker, row)
  })
}

const tooManySecrets = (end: Date) =>
  invalid({
    loc: ['path', 'id'],
    msg: `${mostEarlier} previous secrets are still active; the next rotation is possible at ${end.toISOString()}`,
    type: 'too_many',
  })

/**
 * Whether the caller may manage installation-wide endpoints: an administrator signed in as themselves, or server code.
 * Tokens never may, because they outlive their creator's rights.
 */
export const mayCoverInstallation = (ctx: Context, { seller, current }: Asker): boolean =>
  seller.by === 'server' ||
  (seller.by === 'member' &&
    current !== undefined &&
    current.session.impersonatedBy === null &&
    isAdministrator(ctx, current.user))

function requireInstallation(ctx: Context, asker: Asker): void {
  if (!mayCoverInstallation(ctx, asker)) throw new TollgateError('NOT_PERMITTED')
}

/** Requires the right to subscribe to these types: the owner of the URL can read them. */
export function requireHearing({ seller }: Asker, types: readonly string[]): void {
  if (types.every((type) => mayLetHear(seller, type))) return
  throw new TollgateError(seller.by === 'token' ? 'INSUFFICIENT_SCOPE' : 'NOT_PERMITTED')
}

/** Changing an endpoint, or seeing its URL and secret, needs the right to subscribe to all its types. */
const mayChange = (ctx: Context, asker: Asker, row: EndpointRow): boolean =>
  asker.seller.holds('webhooks:write') &&
  row.events.every((type) => mayLetHear(asker.seller, type)) &&
  (!row.coversInstallation || mayCoverInstallation(ctx, asker))

/**
 * The secret allows forging messages, and the whole URL allows posting to the receiver: an impersonating or read-only
 * caller gets neither.
 */
export const readsSecrets = (ctx: Context, asker: Asker, row: EndpointRow): boolean =>
  mayChange(ctx, asker, row) && (asker.current?.session.impersonatedBy ?? null) === null

/** An endpoint that the caller may change. */
export const findOwn = async (ctx: Context, asker: Asker, id: Id<'webhookEndpoint'>): Promise<EndpointRow> =>
  requireChange(ctx, asker, await findEndpoint(ctx.db, asker.seller.organizationId, id))

/** Like `findOwn`, but locks the row until the transaction ends. */
export const lockOwn = async (ctx: Context, tx: Tx, asker: Asker, id: Id<'webhookEndpoint'>): Promise<EndpointRow> =>
  requireChange(ctx, asker, await lockEndpoint(tx, asker.seller.organizationId, id))

function requireChange(ctx: Context, asker: Asker, row: EndpointRow | undefined): EndpointRow {
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  if (!mayChange(ctx, asker, row)) throw new TollgateError('NOT_PERMITTED')
  return row
}

function requireTarget(ctx: Context, url: string): void {
  const fault = targetFault(url, targetRules(ctx.config))
  if (fault) throw invalid(inBody('url', fault, 'url_target'))
}

async function shown(ctx: Context, db: Db, asker: Asker, row: EndpointRow): Promise<WebhookEndpoint> {
  const waiting = await countWaiting(db, [row.id], longFailed(ctx))
  return toEndpoint(ctx, row, waiting.get(row.id) ?? nothingWaits, readsSecrets(ctx, asker, row))
}

/** Messages that first failed before this time are stuck: others no longer wait for them (WH-5). */
const longFailed = (ctx: Context): Date => after(ctx.clock.now(), -patience)

/** Deletes deliveries from before a time, in batches. */
export async function forgetDeliveries(ctx: Context, before: Date): Promise<void> {
  for (;;) {
    const forgotten = await ctx.transaction((tx) => forgetBatch(tx, before, forgetAtOnce))
    if (forgotten < forgetAtOnce) return
  }
}

/** Small batches, because on SQLite other writers wait for each one. */
const forgetAtOnce = 500
