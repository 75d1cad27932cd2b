import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { emit } from '../../../foundation/outbox.ts'
import type { SellingOfOrganizations } from '../../organization/selling.ts'
import { emitBilling } from '../events.ts'
import { claimFirstApproval, hasSold, isAnyApproved, listFileIds } from './approval.repository.ts'
import { organizationMaySell } from './may-sell.service.ts'
import { findMerchant, insertMerchant, setApproved } from './merchant.repository.ts'
import { findMerchantView } from './merchant-view.ts'

/** Who may sell, and what the rest of an organization asks of its selling side. */

/** Whether an organization that the user is about to create may sell without the operator's approval. */
export async function sellsFromTheStart(ctx: Context, isAdministrator: boolean): Promise<boolean> {
  const { billing } = ctx.config
  if (billing === false) return false
  return billing.whoMaySell === 'everyone' || (isAdministrator && !(await isAnyApproved(ctx.db)))
}

/**
 * Approves an organization or withdraws its approval; does nothing if already so. The caller has locked the
 * organization.
 */
export async function setSelling(
  ctx: Context,
  tx: Tx,
  {
    organizationId,
    maySell,
    actorId,
  }: { organizationId: Id<'organization'>; maySell: boolean; actorId: Id<'user'> | null },
): Promise<void> {
  const now = ctx.clock.now()
  const merchant = await insertMerchant(tx, organizationId, now, false)
  if (!merchant || (merchant.approvedAt !== null) === maySell) return
  await setApproved(tx, organizationId, maySell ? now : null)
  const type = maySell ? 'organization.approved' : 'organization.selling_stopped'
  await emit(tx, now, { type, actorId, userId: null, organizationId })
}

/** Whether an organization may sell, and whether administrators decide it. */
export async function readSelling(
  ctx: Context,
  organizationId: Id<'organization'>,
): Promise<{ maySell: boolean; sellingIsDecided: boolean }> {
  if (ctx.config.billing === false) return { maySell: false, sellingIsDecided: false }
  return { maySell: await organizationMaySell(ctx, organizationId), sellingIsDecided: isSellingDecided(ctx) }
}

/** Whether administrators decide who may sell. */
export const isSellingDecided = ({ config: { billing } }: Pick<Context, 'config'>): boolean =>
  billing !== false && billing.whoMaySell === 'approved'

/** The operations on the selling side that organizations need. */
export const sellingOfOrganizations: SellingOfOrganizations = {
  async approveFirst(ctx, tx, organizationId, actorId) {
    if (ctx.config.billing === false || (await isAnyApproved(tx))) return
    if (await claimFirstApproval(tx, organizationId, ctx.clock.now()))
      await setSelling(ctx, tx, { organizationId, maySell: true, actorId })
  },
  async tellProfile(ctx, tx, organizationId, actorId) {
    if (ctx.config.billing === false || !(await findMerchant(tx, organizationId))) return
    const merchant = await findMerchantView(ctx, tx, organizationId)
    if (merchant) await emitBilling(tx, ctx.clock.now(), { organizationId, actorId }, 'organization.updated', merchant)
  },
  hasSold,
  async end(ctx, tx, organizationId) {
    if (await hasSold(tx, organizationId)) throw new TollgateError('ORGANIZATION_HAS_ORDERS')
    for (const payload of await listFileIds(tx, organizationId))
      await enqueue(tx, ctx.clock.now(), { kind: 'remove-file', payload })
  },
}
