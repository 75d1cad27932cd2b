import type { Merchant } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import type { SessionRow } from '../../../foundation/db/session-row.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { actorOf, emit } from '../../../foundation/outbox.ts'
import { createOrganizationWith } from '../../organization/creation.service.ts'
import { requireOrganization } from '../../organization/membership.service.ts'
import { allows, findMembership } from '../../organization/membership.ts'
import { changeProfile } from '../../organization/organization.service.ts'
import { emitBilling } from '../events.ts'
import { inBody, invalid } from '../invalid.ts'
import { maySell } from '../merchant/may-sell.service.ts'
import {
  findMerchant,
  findSellingOrganizations,
  insertMerchant,
  listOrganizations,
  updateMerchantRow,
} from '../merchant/merchant.repository.ts'
import { findMerchantView, toMerchant } from '../merchant/merchant-view.ts'
import type { BillingHandler } from './billing-handler.ts'
import { checkedChanges } from './merchant-changes.ts'
import type { Seller } from './seller.service.ts'

/** A selling organization as responses and checkouts show it. */
export async function readMerchant(ctx: Context, db: Db, organizationId: Id<'organization'>): Promise<Merchant> {
  const merchant = await findMerchantView(ctx, db, organizationId)
  if (!merchant) throw new TollgateError('RESOURCE_NOT_FOUND')
  return merchant
}

/** Lists a token's own organization, or all organizations of the signed-in member. */
export const listMerchants: BillingHandler<'listMerchants'> = async ({ ctx, seller, current, query }) => {
  const { user } = current ?? {}
  const { rows, pagination } = await listOrganizations(
    ctx.db,
    seller
      ? { id: seller.organizationId }
      : { userId: user?.id ?? '', isVerified: user?.emailVerified ?? false, ids: query.organizationId },
    query,
  )
  const ids = rows.map(({ id }) => id)
  const found = new Map((await findSellingOrganizations(ctx.db, ids)).map((row) => [row.id, toMerchant(ctx, row)]))
  return { items: ids.flatMap((id) => found.get(id) ?? []), pagination }
}

/** Returns the organization that the caller acts for; any other id is not found. */
export const getMerchant: BillingHandler<'getMerchant'> = async ({ ctx, seller, params: { id } }) => {
  requireOwn(seller, id)
  return readMerchant(ctx, ctx.db, id)
}

/** Answers any other organization's id with not found. */
export function requireOwn({ organizationId }: Seller, id: Id<'organization'>): void {
  if (id !== organizationId) throw new TollgateError('RESOURCE_NOT_FOUND')
}

/** Minimum length of a selling organization's slug (contract, section 2). */
const slugMinimum = 3

/**
 * Creates an organization by the general rules, with its merchant row in the same transaction. The session keeps its
 * active organization.
 */
export const createMerchant: BillingHandler<'createMerchant'> = async ({ ctx, caller, current, body }) => {
  if (!current) throw new TollgateError('UNAUTHORIZED')
  if (body.slug.trim().length < slugMinimum)
    throw invalid(inBody('slug', `String should have at least ${slugMinimum} characters`, 'string_too_short'))
  const now = ctx.clock.now()
  const { profile, settings } = checkedChanges(body, undefined, now)
  const given = {
    name: profile.name ?? body.name,
    slug: body.slug,
    ...(profile.logo !== undefined && { logo: profile.logo }),
    keepCurrentActiveOrganization: true,
  }
  const { id } = await unlessSlug(() =>
    createOrganizationWith(ctx, caller, current, given, async (tx, organizationId) => {
      await insertMerchant(tx, organizationId, now, maySell(ctx, { approvedAt: null }))
      if (Object.keys(settings).length > 0) await updateMerchantRow(tx, organizationId, settings)
    }),
  )
  return readMerchant(ctx, ctx.db, id)
}

/** Turns the organization's slug errors into billing's validation errors. */
async function unlessSlug<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error
    if (error.error === 'ORGANIZATION_ALREADY_EXISTS')
      throw invalid(inBody('slug', 'An organization with this slug already exists.'))
    if (error.error === 'INVALID_SLUG') throw invalid(inBody('slug', 'This slug cannot be used.'))
    // The account was deleted meanwhile.
    if (error.error === 'USER_NOT_FOUND') throw new TollgateError('UNAUTHORIZED')
    throw error
  }
}

/**
 * Updates an organization as a seller. Locks its row because name and picture belong to it, and refuses a caller who
 * has lost the right meanwhile.
 */
export const updateMerchant: BillingHandler<'updateMerchant'> = async ({ ctx, seller, current, params, body }) => {
  const { id } = params
  requireOwn(seller, id)
  const now = ctx.clock.now()
  checkedChanges(body, undefined, now)
  return ctx.transaction(async (tx) => {
    await requireOrganization(tx, id, 'RESOURCE_NOT_FOUND')
    await requireStillMay(ctx, tx, seller, current)
    const { profile, settings } = checkedChanges(body, await findMerchant(tx, id), now)
    const fields = [...Object.keys(profile), ...Object.keys(settings)]
    if (fields.length > 0) {
      if (Object.keys(profile).length > 0) await changeProfile(tx, id, profile, now)
      await updateMerchantRow(tx, id, { ...settings, modifiedAt: now })
      const actorId = current ? actorOf(current) : null
      const data = { fields: fields.join() }
      await emit(tx, now, { type: 'organization.updated', actorId, userId: null, organizationId: id, data })
    }
    const merchant = await readMerchant(ctx, tx, id)
    if (fields.length > 0) await emitBilling(tx, now, scopeOf(seller), 'organization.updated', merchant)
    return merchant
  })
}

const scopeOf = ({ organizationId, actorId }: Seller) => ({ organizationId, actorId })

/** Checks the permission again under the lock, because the caller may have been demoted meanwhile. */
export async function requireStillMay(
  ctx: Context,
  tx: Tx,
  { organizationId }: Seller,
  current: SessionRow | undefined,
): Promise<void> {
  if (!current) return
  const membership = await findMembership(ctx, tx, current, organizationId)
  if (!membership) throw new TollgateError('RESOURCE_NOT_FOUND')
  if (!allows(membership, { organization: ['update'] })) throw new TollgateError('NOT_PERMITTED')
}
