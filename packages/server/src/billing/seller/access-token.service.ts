import { permissionOf, type Scope } from '@tollgate/contract/billing'
import type {
  AccessToken,
  BillingAnswer,
  ParsedBillingBody,
  ParsedBillingQuery,
} from '@tollgate/contract/billing-types'
import { addDuration } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { SessionRow } from '../../db/session-row.ts'
import { toJson } from '../../db/tables.ts'
import { TollgateError } from '../../error.ts'
import { newBillingSecret, newUuid } from '../../ids.ts'
import { allows, findMembership } from '../../membership.ts'
import { requireOrganization } from '../../organization/membership.service.ts'
import { actorOf, emit } from '../../outbox.ts'
import { sha256 } from '../../token.ts'
import { inBody, invalid } from '../invalid.ts'
import {
  type AccessTokenRow,
  deleteTokenRow,
  insertToken,
  listTokens,
  lockToken,
  updateTokenRow,
} from './access-token.repository.ts'
import { findOrganizationId, insertMerchant } from './seller.repository.ts'
import { maySell, type Seller } from './seller.service.ts'

/** The tokens of an organization; their secrets are known to nobody any more. */
export async function listAccessTokens(
  ctx: Context,
  seller: Seller,
  query: ParsedBillingQuery<'listAccessTokens'>,
): Promise<BillingAnswer<'listAccessTokens'>> {
  const { rows, pagination } = await listTokens(ctx.db, seller.organizationId, query)
  return { items: rows.map(toAccessToken), pagination }
}

/**
 * Makes a token that may do no more than whoever makes it. Under the organization's lock, because they may lose a right at
 * this moment. The secret is told once, and stored as its hash.
 */
export async function createAccessToken(
  ctx: Context,
  seller: Seller,
  current: SessionRow | undefined,
  body: ParsedBillingBody<'createAccessToken'>,
): Promise<BillingAnswer<'createAccessToken'>> {
  const expiresAt = expiryOf(ctx.clock.now(), body.expiresIn)
  const given = { comment: body.comment, scopes: body.scopes, expiresAt }
  return ctx.transaction(async (tx) => {
    await requireOrganization(tx, seller.organizationId, 'RESOURCE_NOT_FOUND')
    await requireHeld(ctx, tx, seller, current, body.scopes)
    return addAccessToken(ctx, tx, seller.organizationId, given, current)
  })
}

/**
 * The same for who runs the installation: a token of the organization with this slug, or nothing where there is none. It
 * does not expire.
 */
export async function createTokenFor(
  ctx: Context,
  slug: string,
  scopes: readonly Scope[],
): Promise<{ organizationId: string; token: string } | undefined> {
  return ctx.transaction(async (tx) => {
    const organizationId = await findOrganizationId(tx, slug.toLowerCase())
    if (organizationId === undefined) return undefined
    await insertMerchant(tx, organizationId, ctx.clock.now(), maySell(ctx, { approvedAt: null }))
    const given = { comment: 'Command line', scopes: [...new Set(scopes)], expiresAt: null }
    return { organizationId, token: (await addAccessToken(ctx, tx, organizationId, given, undefined)).token }
  })
}

/** What a token is made of. */
export type NewAccessToken = {
  readonly comment: string
  readonly scopes: readonly Scope[]
  /** Never, where there is none. */
  readonly expiresAt: Date | null
}

/** Writes a token for an organization that is there, and sells or may come to: who may, the caller has checked. */
export async function addAccessToken(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  { comment, scopes, expiresAt }: NewAccessToken,
  current: SessionRow | undefined,
): Promise<BillingAnswer<'createAccessToken'>> {
  const token = `tollgate_oat_${newBillingSecret()}`
  const row = await insertToken(tx, {
    id: newUuid(),
    organizationId,
    comment,
    tokenHash: sha256(token),
    lastFour: token.slice(-4),
    scopes: toJson(scopes),
    creatorId: current?.user.id ?? null,
    expiresAt,
    createdAt: ctx.clock.now(),
  })
  await tellToken(ctx, tx, 'access_token.created', row, current)
  return { organizationAccessToken: toAccessToken(row), token }
}

/** Changes what a token is called, or may do: nothing is added that whoever changes it may not do. */
export async function updateAccessToken(
  ctx: Context,
  seller: Seller,
  current: SessionRow | undefined,
  id: string,
  { comment, scopes }: ParsedBillingBody<'updateAccessToken'>,
): Promise<AccessToken> {
  const { organizationId } = seller
  return ctx.transaction(async (tx) => {
    await requireOrganization(tx, organizationId, 'RESOURCE_NOT_FOUND')
    const before = await lockToken(tx, organizationId, id)
    if (!before) throw new TollgateError('RESOURCE_NOT_FOUND')
    const held = before.scopes as string[] // written from the schema of scopes
    await requireHeld(ctx, tx, seller, current, scopes?.filter((scope) => !held.includes(scope)) ?? [])
    if (!comment && !scopes) return toAccessToken(before)
    const changed = await updateTokenRow(tx, organizationId, id, {
      ...(comment && { comment }),
      ...(scopes && { scopes: toJson(scopes) }),
      modifiedAt: ctx.clock.now(),
    })
    if (!changed) throw new TollgateError('RESOURCE_NOT_FOUND')
    await tellToken(ctx, tx, 'access_token.updated', changed, current)
    return toAccessToken(changed)
  })
}

/** Ends a token: its next request is refused. */
export async function deleteAccessToken(
  ctx: Context,
  seller: Seller,
  current: SessionRow | undefined,
  id: string,
): Promise<undefined> {
  await ctx.transaction(async (tx) => {
    await requireOrganization(tx, seller.organizationId, 'RESOURCE_NOT_FOUND')
    await requireHeld(ctx, tx, seller, current, [])
    const deleted = await deleteTokenRow(tx, seller.organizationId, id)
    if (!deleted) throw new TollgateError('RESOURCE_NOT_FOUND')
    await tellToken(ctx, tx, 'access_token.deleted', deleted, current)
  })
}

/** When a token ends that is to live so long: an ISO 8601 duration, or seconds. Refused where that is no time to come. */
function expiryOf(now: Date, expiresIn: string | number | null | undefined): Date | null {
  if (expiresIn == null) return null
  const expiresAt = addDuration(now, typeof expiresIn === 'number' ? `PT${expiresIn}S` : expiresIn)
  if (expiresAt && expiresAt > now) return expiresAt
  throw invalid(inBody('expires_in', 'Input should be a duration in the future', 'time_delta_parsing'))
}

/** Nobody gives a token what they may not do themselves. Server code may do everything. */
async function requireHeld(
  ctx: Context,
  tx: Tx,
  { organizationId }: Seller,
  current: SessionRow | undefined,
  scopes: readonly Scope[],
): Promise<void> {
  if (!current) return
  const membership = await findMembership(ctx, tx, current, organizationId)
  if (!membership) throw new TollgateError('RESOURCE_NOT_FOUND')
  const needed = [{ resource: 'token', action: 'write' }, ...scopes.flatMap((scope) => permissionOf(scope) ?? [])]
  if (!needed.every(({ resource, action }) => allows(membership, { [resource]: [action] })))
    throw new TollgateError('NOT_PERMITTED')
}

async function tellToken(
  ctx: Context,
  tx: Tx,
  type: 'access_token.created' | 'access_token.updated' | 'access_token.deleted',
  { organizationId, comment, lastFour }: AccessTokenRow,
  current: SessionRow | undefined,
): Promise<void> {
  const actorId = current ? actorOf(current) : null
  await emit(tx, ctx.clock.now(), { type, actorId, userId: null, organizationId, data: { comment, lastFour } })
}

const toAccessToken = (row: AccessTokenRow): AccessToken => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: row.modifiedAt?.toISOString() ?? null,
  comment: row.comment,
  scopes: row.scopes as string[], // written from the schema of scopes
  lastFour: row.lastFour,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  organizationId: row.organizationId,
})
