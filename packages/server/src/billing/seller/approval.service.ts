import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import { TollgateError } from '../../error.ts'
import { enqueue } from '../../jobs.ts'
import { emit } from '../../outbox.ts'
import { listFileIds } from '../catalog/file.repository.ts'
import { emitBilling } from '../events.ts'
import { claimFirstApproval, hasSold, isAnyApproved } from './approval.repository.ts'
import { findMerchantView } from './merchant-view.ts'
import { findMerchant, insertMerchant, setApproved } from './seller.repository.ts'
import { organizationMaySell } from './seller.service.ts'

export { hasSold } from './approval.repository.ts'

/** What organizations and administration ask of billing: who may sell, and what must not be ended. */

/**
 * Lets the first organization that an administrator of the installation makes sell at once (architecture, "Organization,
 * merchant, customer"); every other one waits for the operator. Whoever calls has seen that it is an administrator.
 */
export async function approveFirst(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  actorId: string | null,
): Promise<void> {
  if (ctx.config.billing === false || (await isAnyApproved(tx))) return
  if (await claimFirstApproval(tx, organizationId, ctx.clock.now()))
    await setSelling(ctx, tx, { organizationId, maySell: true, actorId })
}

/** Whether an organization that somebody makes now may sell without waiting for the operator: said before it is made. */
export async function sellsFromTheStart(ctx: Context, isAdministrator: boolean): Promise<boolean> {
  const { billing } = ctx.config
  if (billing === false) return false
  return billing.whoMaySell === 'everyone' || (isAdministrator && !(await isAnyApproved(ctx.db)))
}

/**
 * Lets an organization sell, or no longer; nothing happens where it is as asked for already. The organization is there, and
 * locked by then.
 */
export async function setSelling(
  ctx: Context,
  tx: Tx,
  { organizationId, maySell, actorId }: { organizationId: string; maySell: boolean; actorId: string | null },
): Promise<void> {
  const now = ctx.clock.now()
  const merchant = await insertMerchant(tx, organizationId, now, false)
  if (!merchant || (merchant.approvedAt !== null) === maySell) return
  await setApproved(tx, organizationId, maySell ? now : null)
  const type = maySell ? 'organization.approved' : 'organization.selling_stopped'
  await emit(tx, now, { type, actorId, userId: null, organizationId })
}

/** Whether an organization may sell now, and whether an administrator decides that: not where everybody may, or nobody. */
export async function readSelling(
  ctx: Context,
  organizationId: string,
): Promise<{ maySell: boolean; sellingIsDecided: boolean }> {
  if (ctx.config.billing === false) return { maySell: false, sellingIsDecided: false }
  return { maySell: await organizationMaySell(ctx, organizationId), sellingIsDecided: isSellingDecided(ctx) }
}

/** Whether administrators decide who may sell. */
export const isSellingDecided = ({ config: { billing } }: Pick<Context, 'config'>): boolean =>
  billing !== false && billing.whoMaySell === 'approved'

/** Tells whoever listens to a seller that its name, slug or picture has changed; nothing where it sells nothing. */
export async function tellSeller(ctx: Context, tx: Tx, organizationId: string, actorId: string | null): Promise<void> {
  if (ctx.config.billing === false || !(await findMerchant(tx, organizationId))) return
  const merchant = await findMerchantView(ctx, tx, organizationId)
  if (merchant) await emitBilling(tx, ctx.clock.now(), { organizationId, actorId }, 'organization.updated', merchant)
}

/**
 * Refuses with ORGANIZATION_HAS_ORDERS to end an organization that has sold something: its books must be kept. Inside a
 * transaction it sells nothing more until that ends.
 */
async function refuseSold(db: Db, organizationId: string): Promise<void> {
  if (await hasSold(db, organizationId)) throw new TollgateError('ORGANIZATION_HAS_ORDERS')
}

/**
 * The seller's side of an organization that ends in the transaction: refused as above where it has sold something, and the
 * bytes of its files go after the commit, as their rows do in it.
 */
export async function endSeller(ctx: Context, tx: Tx, organizationId: string): Promise<void> {
  await refuseSold(tx, organizationId)
  for (const payload of await listFileIds(tx, organizationId))
    await enqueue(tx, ctx.clock.now(), { kind: 'remove-file', payload })
}
