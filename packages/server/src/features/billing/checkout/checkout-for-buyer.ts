import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import { hasHadTrial } from '../posting/trial-guard.service.ts'
import { readMerchant } from '../seller/merchant.service.ts'
import { linkTo } from './changed-buyer.ts'
import type { CheckoutRow } from './checkout.repository.ts'
import type { ActingBuyer } from './checkout-buyer.ts'
import type { ChangedCheckout } from './checkout-update.ts'
import { toCheckoutPublic } from './checkout-view.ts'
import { knownTrialBuyer, trialOf } from './trial.ts'

/**
 * A checkout as its buyer sees it: without a trial that they are known to have used, so that it says what is paid now
 * before they pay (SUB-16). Nothing is stored, because others may hold the same link.
 */
export async function showToBuyer(
  ctx: Context,
  buyer: ActingBuyer,
  { row, sale }: ChangedCheckout,
  clientSecret: string,
): Promise<CheckoutPublic> {
  const isOffered = row.status === 'open' && trialOf(row, sale, ctx.clock.now()) !== undefined
  const [organization, trialRedeemed] = await Promise.all([
    readMerchant(ctx, ctx.db, row.organizationId),
    isOffered ? hasHadTrial(ctx.db, knownTrialBuyer(row, buyer.account)) : false,
  ])
  const shown = trialRedeemed ? { ...row, allowTrial: false } : row
  return { ...toCheckoutPublic(ctx, shown, sale, organization, clientSecret), trialRedeemed }
}

/** Fills in a signed-in buyer's address and name where missing; only they see them, and nothing is stored. */
export async function withKnownBuyer(
  ctx: Pick<Context, 'db'>,
  { account }: ActingBuyer,
  row: CheckoutRow,
): Promise<CheckoutRow> {
  if (row.status !== 'open' || (row.customerEmail !== null && row.customerName !== null)) return row
  const { userId, buyerOrganizationId } = await linkTo(ctx.db, row, account)
  const isLinked = userId !== null || buyerOrganizationId !== null
  if (!isLinked || !account) return row
  return {
    ...row,
    customerEmail: row.customerEmail ?? account.email,
    customerName: row.customerName ?? (account.name || null),
  }
}
