import { holdsScope, permissionOf, type Scope } from '@tollgate/contract/billing'
import { after, minutes } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { SessionRow } from '../../db/session-row.ts'
import { TollgateError } from '../../error.ts'
import { allows, findMembership } from '../../membership.ts'
import { actorOf } from '../../outbox.ts'
import { sha256 } from '../../token.ts'
import { findMerchant, findTokenWithMerchant, insertMerchant, touchToken } from './seller.repository.ts'

declare const made: unique symbol

/**
 * That somebody may act for a selling organization. Only this file makes one: whatever reads or writes what an organization
 * sells takes `seller.organizationId`, so that a forgotten check is a missing argument, and what belongs to somebody else is
 * not found (billing contract, section 1, "Tenancy").
 */
export type Seller = {
  readonly [made]: true
  readonly organizationId: string
  readonly by: 'token' | 'member' | 'server'
  /** Who events name: the user, or the administrator who acts as them; nobody for a token and for server code. */
  readonly actorId: string | null
  /** The user who is signed in; nobody for a token and for server code. */
  readonly userId: string | null
  /** Whether they may do what a scope is about, too. */
  readonly holds: (scope: Scope) => boolean
  /** Whether they may read who has done what in the organization: members who may, and server code. */
  readonly readsAudit: boolean
}

const sellerOf = (seller: Omit<Seller, typeof made>): Seller => seller as Seller // the mark exists for the compiler only

/** What a call asks of whoever makes it. */
export type Needs = {
  readonly scope: Scope | undefined
  /** A permission beyond that of the scope, for calls that only members make. */
  readonly permission?: { readonly resource: string; readonly action: string } | undefined
  /** Whether an organization that may not sell has it, too: the settings, and whatever only reads. */
  readonly beforeApproval: boolean
}

const tokenPattern = /^tollgate_oat_[A-Za-z0-9]{43}$/
/** How often a token's last use is written down. */
const touchInterval = minutes(1)

/** Whom an organization access token acts for. An unknown, expired or deleted one is refused with UNAUTHORIZED. */
export async function sellerByToken(ctx: Context, token: string, needs: Needs): Promise<Seller> {
  const now = ctx.clock.now()
  const row = tokenPattern.test(token) ? await findTokenWithMerchant(ctx.db, sha256(token)) : undefined
  if (!row || (row.expiresAt && row.expiresAt <= now)) throw new TollgateError('UNAUTHORIZED')
  if (!needs.scope || !holdsScope(row.scopes as string[], needs.scope)) throw new TollgateError('INSUFFICIENT_SCOPE')
  requireApproved(ctx, row, needs)
  if (!row.lastUsedAt || row.lastUsedAt <= after(now, -touchInterval))
    ctx.background('token use', () => ctx.transaction((tx) => touchToken(tx, row.id, now)))
  return sellerOf({
    organizationId: row.organizationId,
    by: 'token',
    actorId: null,
    userId: null,
    holds: (scope) => holdsScope(row.scopes as string[], scope),
    readsAudit: false,
  })
}

/**
 * Whom a signed-in member acts for. An organization that is not theirs is refused like one that does not exist; whoever
 * lacks the permission behind the scope is told so.
 */
export async function sellerBySession(
  ctx: Context,
  current: SessionRow,
  organizationId: string | undefined,
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

/** Whether a text could be an organization's id: it comes from the request as it is, and not every database takes every text. */
const isId = (text: string | undefined): text is string => text !== undefined && /^[\x21-\x7e]{1,64}$/.test(text)

/** Whom server code acts for: it names the organization. */
export async function sellerOfServer(ctx: Context, organizationId: string | undefined, needs: Needs): Promise<Seller> {
  if (!isId(organizationId)) throw new TollgateError('RESOURCE_NOT_FOUND')
  await requireMerchant(ctx, organizationId, needs)
  return sellerOfObject({ organizationId })
}

/** Whom a checkout or another object of billing belongs to: for work that its buyer, or a job, causes. */
export const sellerOfObject = ({ organizationId }: { organizationId: string }): Seller =>
  sellerOf({
    organizationId,
    by: 'server',
    actorId: null,
    userId: null,
    holds: () => true,
    readsAudit: true,
  })

async function requireMerchant(ctx: Context, organizationId: string, needs: Needs): Promise<void> {
  let merchant = await findMerchant(ctx.db, organizationId)
  if (!merchant) {
    const mayAll = ctx.config.billing !== false && ctx.config.billing.whoMaySell === 'everyone'
    if (!mayAll && !needs.beforeApproval) throw new TollgateError('MERCHANT_NOT_APPROVED')
    const now = ctx.clock.now()
    merchant = await ctx.transaction((tx) => insertMerchant(tx, organizationId, now, mayAll))
    // Nobody has such an organization.
    if (!merchant) throw new TollgateError('RESOURCE_NOT_FOUND')
  }
  requireApproved(ctx, merchant, needs)
}

/** Whether an organization may sell, as the configuration decides it. */
export const maySell = ({ config }: Pick<Context, 'config'>, { approvedAt }: { approvedAt: Date | null }): boolean =>
  approvedAt !== null || (config.billing !== false && config.billing.whoMaySell === 'everyone')

function requireApproved(ctx: Context, merchant: { approvedAt: Date | null }, { beforeApproval }: Needs): void {
  if (!beforeApproval && !maySell(ctx, merchant)) throw new TollgateError('MERCHANT_NOT_APPROVED')
}

/** Whether an organization may sell, asked by its id: for pages that begin with the answer. */
export const organizationMaySell = async (ctx: Context, organizationId: string): Promise<boolean> =>
  maySell(ctx, (await findMerchant(ctx.db, organizationId)) ?? { approvedAt: null })
