import { holdsScope, permissionOf, type Scope } from '@tollgate/contract/billing'
import { after, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import type { SessionRow } from '../../../foundation/db/session-row.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { keptAnswers } from '../../../foundation/kept-answers.ts'
import { actorOf } from '../../../foundation/outbox.ts'
import { sha256 } from '../../../foundation/token.ts'
import { allows, findMembership } from '../../organization/membership.ts'
import { maySell } from '../merchant/may-sell.service.ts'
import { findMerchant, insertMerchant } from '../merchant/merchant.repository.ts'
import { findTokenWithMerchant, type TokenWithMerchant, touchToken } from './seller.repository.ts'

declare const made: unique symbol

/**
 * Proves that the caller may act for a selling organization. Only this file creates one, and every read or write of a
 * seller's data takes `seller.organizationId`. A forgotten check is therefore a missing argument, and other sellers'
 * data is not found (billing contract, section 1, "Tenancy").
 */
export type Seller = {
  readonly [made]: true
  readonly organizationId: Id<'organization'>
  readonly by: 'token' | 'member' | 'server'
  /** The user that events name, or the administrator who acts as them; null for tokens and server code. */
  readonly actorId: Id<'user'> | null
  /** The signed-in user; null for tokens and server code. */
  readonly userId: Id<'user'> | null
  /** Whether the caller also holds a scope. */
  readonly holds: (scope: Scope) => boolean
  /** Whether the caller may read the organization's audit log: permitted members and server code. */
  readonly readsAudit: boolean
}

const sellerOf = (seller: Omit<Seller, typeof made>): Seller => seller as Seller // the symbol exists only for the compiler

/** What a call requires of its caller. */
export type Needs = {
  readonly scope: Scope | undefined
  /** A permission instead of the scope's, for calls that only members make. */
  readonly permission?: { readonly resource: string; readonly action: string } | undefined
  /** Whether an unapproved organization may make the call, such as settings and reads. */
  readonly beforeApproval: boolean
}

const tokenPattern = /^tollgate_oat_[A-Za-z0-9]{43}$/
/** Minimum time between two updates of a token's last use. */
const touchInterval = minutes(1)

/** At most 5,000 access tokens stay in memory. */
const keptAccessTokens = keptAnswers<TokenWithMerchant>('accessTokens', 5000, () => 1)

/** Returns the seller of an organization access token. Throws UNAUTHORIZED for an unknown, expired or deleted one. */
export async function sellerByToken(ctx: Context, token: string, needs: Needs): Promise<Seller> {
  const now = ctx.clock.now()
  if (!tokenPattern.test(token)) throw new TollgateError('UNAUTHORIZED')
  const tokenHash = sha256(token)
  const row = await keptAccessTokens({ ctx }, tokenHash, async () => {
    const found = await findTokenWithMerchant(ctx.db, tokenHash)
    if (!found) throw new TollgateError('UNAUTHORIZED')
    return found
  })
  if (row.expiresAt && row.expiresAt <= now) throw new TollgateError('UNAUTHORIZED')
  if (!needs.scope || !holdsScope(row.scopes, needs.scope)) throw new TollgateError('INSUFFICIENT_SCOPE')
  requireApproved(ctx, row, needs)
  if (!row.lastUsedAt || row.lastUsedAt <= after(now, -touchInterval))
    ctx.background('token use', () => ctx.transaction((tx) => touchToken(tx, row.id, now)))
  return sellerOf({
    organizationId: row.organizationId,
    by: 'token',
    actorId: null,
    userId: null,
    holds: (scope) => holdsScope(row.scopes, scope),
    readsAudit: false,
  })
}

/**
 * Returns the seller that a member acts for. An organization of others is refused like one that does not exist. Throws
 * NOT_PERMITTED without the scope's permission.
 */
export async function sellerBySession(
  ctx: Context,
  current: SessionRow,
  organizationId: Id<'organization'> | undefined,
  needs: Needs,
): Promise<Seller> {
  const membership = isId(organizationId) ? await findMembership(ctx, ctx.db, current, organizationId) : undefined
  if (!membership) throw new TollgateError('RESOURCE_NOT_FOUND')
  const may = (needed: Needs['permission']) => !needed || allows(membership, { [needed.resource]: [needed.action] })
  if (!may(needs.permission ?? (needs.scope && permissionOf(needs.scope)))) throw new TollgateError('NOT_PERMITTED')
  const seller = sellerOf({
    organizationId: membership.organizationId,
    by: 'member',
    actorId: actorOf(current),
    userId: membership.userId,
    holds: (scope) => may(permissionOf(scope)),
    readsAudit: may({ resource: 'audit', action: 'read' }),
  })
  await requireMerchant(ctx, seller.organizationId, needs)
  return seller
}

/** Whether a text can be an organization's id. It is unchecked input, and PostgreSQL rejects some characters. */
const isId = (text: string | undefined): text is string => text !== undefined && /^[\x21-\x7e]{1,64}$/.test(text)

/** Returns the seller that server code names. */
export async function sellerOfServer(
  ctx: Context,
  organizationId: Id<'organization'> | undefined,
  needs: Needs,
): Promise<Seller> {
  if (!isId(organizationId)) throw new TollgateError('RESOURCE_NOT_FOUND')
  await requireMerchant(ctx, organizationId, needs)
  return sellerOfObject({ organizationId })
}

/** Returns the seller that owns a checkout or other object, for work that a buyer or a job triggers. */
export const sellerOfObject = ({ organizationId }: { organizationId: Id<'organization'> }): Seller =>
  sellerOf({
    organizationId,
    by: 'server',
    actorId: null,
    userId: null,
    holds: () => true,
    readsAudit: true,
  })

async function requireMerchant(ctx: Context, organizationId: Id<'organization'>, needs: Needs): Promise<void> {
  let merchant = await findMerchant(ctx.db, organizationId)
  if (!merchant) {
    const mayAll = ctx.config.billing !== false && ctx.config.billing.whoMaySell === 'everyone'
    if (!mayAll && !needs.beforeApproval) throw new TollgateError('MERCHANT_NOT_APPROVED')
    const now = ctx.clock.now()
    merchant = await ctx.transaction((tx) => insertMerchant(tx, organizationId, now, mayAll))
    // No such organization exists.
    if (!merchant) throw new TollgateError('RESOURCE_NOT_FOUND')
  }
  requireApproved(ctx, merchant, needs)
}

function requireApproved(ctx: Context, merchant: { approvedAt: Date | null }, { beforeApproval }: Needs): void {
  if (!beforeApproval && !maySell(ctx, merchant)) throw new TollgateError('MERCHANT_NOT_APPROVED')
}
