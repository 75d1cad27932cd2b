import { permissionOf, type Scope } from '@tollgate/contract/billing'
import type { AccessToken, BillingAnswer } from '@tollgate/contract/billing-types'
import { addDuration } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import type { SessionRow } from '../../../foundation/db/session-row.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newBillingSecret, newUuid } from '../../../foundation/ids.ts'
import { actorOf, emit } from '../../../foundation/outbox.ts'
import { sha256 } from '../../../foundation/token.ts'
import { requireOrganization } from '../../organization/membership.service.ts'
import { allows, findMembership } from '../../organization/membership.ts'
import { inBody, invalid } from '../invalid.ts'
import { maySell } from '../merchant/may-sell.service.ts'
import { insertMerchant } from '../merchant/merchant.repository.ts'
import {
  type AccessTokenRow,
  deleteTokenRow,
  insertToken,
  listTokens,
  lockToken,
  updateTokenRow,
} from './access-token.repository.ts'
import type { BillingHandler } from './billing-handler.ts'
import { findOrganizationId } from './seller.repository.ts'
import type { Seller } from './seller.service.ts'

/** Lists an organization's tokens without their secrets, of which only hashes are stored. */
export const listAccessTokens: BillingHandler<'listAccessTokens'> = async ({ ctx, seller, query }) => {
  const { rows, pagination } = await listTokens(ctx.db, seller.organizationId, query)
  return { items: rows.map(toAccessToken), pagination }
}

/**
 * Creates a token whose scopes the caller also holds, checked under the organization's lock because the caller may
 * lose a right meanwhile. Only this response shows the secret; the database stores its hash.
 */
export const createAccessToken: BillingHandler<'createAccessToken'> = async ({ ctx, seller, current, body }) => {
  const expiresAt = expiryOf(ctx.clock.now(), body.expiresIn)
  const given = { comment: body.comment, scopes: body.scopes, expiresAt }
  return ctx.transaction(async (tx) => {
    await requireOrganization(tx, seller.organizationId, 'RESOURCE_NOT_FOUND')
    await requireHeld(ctx, tx, seller, current, body.scopes)
    return addAccessToken(ctx, tx, seller.organizationId, given, current)
  })
}

/**
 * Creates a non-expiring token on the command line, for the organization with this slug; undefined if there is none.
 */
export async function createTokenFor(
  ctx: Context,
  slug: string,
  scopes: readonly Scope[],
): Promise<{ organizationId: Id<'organization'>; token: string } | undefined> {
  return ctx.transaction(async (tx) => {
    const organizationId = await findOrganizationId(tx, slug.toLowerCase())
    if (organizationId === undefined) return undefined
    await insertMerchant(tx, organizationId, ctx.clock.now(), maySell(ctx, { approvedAt: null }))
    const given = { comment: 'Command line', scopes: [...new Set(scopes)], expiresAt: null }
    return { organizationId, token: (await addAccessToken(ctx, tx, organizationId, given, undefined)).token }
  })
}

/** The values of a new token. */
export type NewAccessToken = {
  readonly comment: string
  readonly scopes: readonly Scope[]
  /** Null for a token that never expires. */
  readonly expiresAt: Date | null
}

/** Inserts a token for an existing organization. The caller has checked permissions and that it may have tokens. */
export async function addAccessToken(
  ctx: Context,
  tx: Tx,
  organizationId: Id<'organization'>,
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
    scopes: scopes,
    creatorId: current?.user.id ?? null,
    expiresAt,
    createdAt: ctx.clock.now(),
  })
  await tellToken(ctx, tx, 'access_token.created', row, current)
  return { organizationAccessToken: toAccessToken(row), token }
}

/** Changes a token's comment or scopes. The caller must hold every added scope. */
export const updateAccessToken: BillingHandler<'updateAccessToken'> = async ({
  ctx,
  seller,
  current,
  params: { id },
  body: { comment, scopes },
}) => {
  const { organizationId } = seller
  return ctx.transaction(async (tx) => {
    await requireOrganization(tx, organizationId, 'RESOURCE_NOT_FOUND')
    const before = await lockToken(tx, organizationId, id)
    if (!before) throw new TollgateError('RESOURCE_NOT_FOUND')
    const held = before.scopes
    await requireHeld(ctx, tx, seller, current, scopes?.filter((scope) => !held.includes(scope)) ?? [])
    if (!comment && !scopes) return toAccessToken(before)
    const changed = await updateTokenRow(tx, organizationId, id, {
      ...(comment && { comment }),
      ...(scopes && { scopes: scopes }),
      modifiedAt: ctx.clock.now(),
    })
    if (!changed) throw new TollgateError('RESOURCE_NOT_FOUND')
    await tellToken(ctx, tx, 'access_token.updated', changed, current)
    return toAccessToken(changed)
  })
}

/** Deletes a token; its next request is refused. */
export const deleteAccessToken: BillingHandler<'deleteAccessToken'> = async ({ ctx, seller, current, params }) => {
  const { id } = params
  await ctx.transaction(async (tx) => {
    await requireOrganization(tx, seller.organizationId, 'RESOURCE_NOT_FOUND')
    await requireHeld(ctx, tx, seller, current, [])
    const deleted = await deleteTokenRow(tx, seller.organizationId, id)
    if (!deleted) throw new TollgateError('RESOURCE_NOT_FOUND')
    await tellToken(ctx, tx, 'access_token.deleted', deleted, current)
  })
}

/** Computes the expiry from an ISO 8601 duration or seconds. Throws unless it lies in the future. */
function expiryOf(now: Date, expiresIn: string | number | null | undefined): Date | null {
  if (expiresIn == null) return null
  const expiresAt = addDuration(now, typeof expiresIn === 'number' ? `PT${expiresIn}S` : expiresIn)
  if (expiresAt && expiresAt > now) return expiresAt
  throw invalid(inBody('expires_in', 'Input should be a duration in the future', 'time_delta_parsing'))
}

/** Refuses scopes that the caller does not hold. Server code may do everything. */
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
  scopes: row.scopes,
  lastFour: row.lastFour,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  organizationId: row.organizationId,
})
