import type { BillingAnswer, Merchant, ParsedBillingBody, ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { SessionRow } from '../../db/session-row.ts'
import { TollgateError } from '../../error.ts'
import type { Caller } from '../../http/billing-route.ts'
import { allows, findMembership } from '../../membership.ts'
import { createOrganization } from '../../organization/creation.service.ts'
import { requireOrganization } from '../../organization/membership.service.ts'
import { changeProfile } from '../../organization/organization.service.ts'
import { actorOf, emit } from '../../outbox.ts'
import { emitBilling } from '../events.ts'
import { inBody, invalid } from '../invalid.ts'
import { findSellingOrganizations, listOrganizations, updateMerchantRow } from './merchant.repository.ts'
import { checkedChanges } from './merchant-changes.ts'
import { findMerchantView, toMerchant } from './merchant-view.ts'
import { findMerchant, insertMerchant } from './seller.repository.ts'
import { maySell, type Seller } from './seller.service.ts'

/** A selling organization as answers and checkouts show it. */
export async function readMerchant(ctx: Context, db: Db, organizationId: string): Promise<Merchant> {
  const merchant = await findMerchantView(ctx, db, organizationId)
  if (!merchant) throw new TollgateError('RESOURCE_NOT_FOUND')
  return merchant
}

/** A token's own organization, or all those in which whoever is signed in may act. */
export async function listMerchants(
  ctx: Context,
  seller: Seller | undefined,
  current: SessionRow | undefined,
  query: ParsedBillingQuery<'listMerchants'>,
): Promise<BillingAnswer<'listMerchants'>> {
  const { user } = current ?? {}
  const { rows, pagination } = await listOrganizations(
    ctx.db,
    seller
      ? { id: seller.organizationId }
      : { memberId: user?.id ?? '', isVerified: user?.emailVerified ?? false, ids: query.organizationId },
    query,
  )
  const ids = rows.map(({ id }) => id)
  const found = new Map((await findSellingOrganizations(ctx.db, ids)).map((row) => [row.id, toMerchant(ctx, row)]))
  return { items: ids.flatMap((id) => found.get(id) ?? []), pagination }
}

/** An organization that the caller acts for; any other one is not found. */
export async function getMerchant(ctx: Context, seller: Seller, id: string): Promise<Merchant> {
  requireOwn(seller, id)
  return readMerchant(ctx, ctx.db, id)
}

/** Refuses the id of any other organization: it is not found. */
export function requireOwn({ organizationId }: Seller, id: string): void {
  if (id !== organizationId) throw new TollgateError('RESOURCE_NOT_FOUND')
}

/** Shortest slug of an organization that sells (contract, section 2). */
const slugMinimum = 3

/**
 * Creates an organization by the rules of all organizations, with its billing side in the same transaction. The session goes
 * on acting in the organization that it acts in.
 */
export async function createMerchant(
  ctx: Context,
  caller: Caller,
  current: SessionRow | undefined,
  body: ParsedBillingBody<'createMerchant'>,
): Promise<Merchant> {
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
    createOrganization(ctx, caller, current, given, async (tx, organizationId) => {
      await insertMerchant(tx, organizationId, now, maySell(ctx, { approvedAt: null }))
      if (Object.keys(settings).length > 0) await updateMerchantRow(tx, organizationId, settings)
    }),
  )
  return readMerchant(ctx, ctx.db, id)
}

/** What organizations refuse about a slug, in billing's way. */
async function unlessSlug<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error
    if (error.error === 'ORGANIZATION_ALREADY_EXISTS')
      throw invalid(inBody('slug', 'An organization with this slug already exists.'))
    if (error.error === 'INVALID_SLUG') throw invalid(inBody('slug', 'This slug cannot be used.'))
    // Their account was deleted a moment ago.
    if (error.error === 'USER_NOT_FOUND') throw new TollgateError('UNAUTHORIZED')
    throw error
  }
}

/**
 * Changes an organization as a seller. Name and picture are the organization's own, and change under its lock; whoever has
 * lost the right meanwhile is refused.
 */
export async function updateMerchant(
  ctx: Context,
  seller: Seller,
  current: SessionRow | undefined,
  id: string,
  body: ParsedBillingBody<'updateMerchant'>,
): Promise<Merchant> {
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

/** Asked again under the lock: whoever was demoted a moment ago is refused. */
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
