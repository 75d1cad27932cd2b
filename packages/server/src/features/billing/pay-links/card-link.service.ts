import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { inBody, invalid } from '../invalid.ts'
import { listSetupsSince } from '../order/payment.repository.ts'
import { findSubscriptionById, type SubscriptionRow } from '../order/subscription.repository.ts'
import { readMerchant } from '../seller/merchant.service.ts'
import { attemptCharge, unknownToken } from '../settlement/attempt.ts'
import { beginSetup } from '../settlement/begin-setup.ts'
import { settlePayment } from '../settlement/settle-payment.service.ts'
import { hasEnded } from '../subscriptions/changeable.ts'
import { readSubscribed } from '../subscriptions/subscribed.ts'
import { lookAt, processorOf, shownAttempt } from './shown-attempt.ts'

/*
 * A link by which a subscriber saves another card, without signing in: mails about cards and trials lead there. The card
 * becomes the default, so it pays what is past due at once (SUB-28), and all that follows. A link saves one card.
 */

type CardLink = {
  readonly id: Id<'subscription'>
  readonly madeAt: Date
  readonly expiresAt: Date
}

/** Shows what a link for another card asks for: nothing is due. */
export async function showCardLink(
  ctx: Context,
  { id, madeAt, expiresAt }: CardLink,
): Promise<BillingAnswer<'getPayLink'>> {
  const row = await requireRow(ctx, id)
  const { organizationId, customerId, currency } = row
  const { customer, buyer, product } = await readSubscribed(ctx, ctx.db, row)
  const setups = await listSetupsSince(ctx.db, organizationId, customerId, madeAt)
  const latest = setups.find(({ status }) => status !== 'failed') ?? setups[0]
  const pending = latest?.status === 'pending' ? latest : undefined
  const processor = processorOf(ctx, pending)
  const standing = pending && (await lookAt(ctx, processor, pending))
  return {
    purpose: 'card',
    status: hasEnded(row) ? 'void' : pending ? 'pending' : latest?.status === 'succeeded' ? 'paid' : 'open',
    expiresAt: expiresAt.toISOString(),
    organization: await readMerchant(ctx, ctx.db, organizationId),
    customerName: buyer.name,
    customerEmail: customer.email,
    country: buyer.billingAddress?.country ?? null,
    description: product.name,
    items: [],
    ...{ subtotalAmount: 0, discountAmount: 0, taxAmount: 0, totalAmount: 0, appliedBalanceAmount: 0, dueAmount: 0 },
    currency,
    ...shownAttempt(processor, latest, standing),
    invoiceNumber: null,
    dueAt: null,
    savedMethod: null,
  }
}

/** Saves the card of a link in three steps, as the portal does; it takes no money. */
export async function addCardByLink(
  ctx: Context,
  link: CardLink,
  confirmationToken: string | null,
): Promise<BillingAnswer<'payByLink'>> {
  const row = await requireRow(ctx, link.id)
  if (hasEnded(row)) throw new TollgateError('ORDER_NOT_DUE')
  if (confirmationToken === null) throw invalid(inBody('confirmation_token_id', 'Field is required.', 'missing'))
  const { organizationId, customerId } = row
  await endFormer(ctx, row, link.madeAt)
  const processor = ctx.payments.forNewCheckouts
  if (!(await processor.findToken(confirmationToken))) throw invalid(unknownToken.issue)
  const setup = { organizationId, customerId, confirmationToken, makesDefault: true }
  const charge = await ctx.transaction(async (tx) => {
    const begun = await beginSetup(ctx, tx, processor, setup)
    // Under the customer's lock: a link saves one card.
    const others = await listSetupsSince(tx, organizationId, customerId, link.madeAt)
    if (others.some(({ id, status }) => id !== begun.paymentId && status !== 'failed'))
      throw new TollgateError('ORDER_NOT_DUE')
    return begun
  })
  const attempt = await attemptCharge(ctx, processor.name, charge)
  const settled = attempt && (await settlePayment(ctx, charge.paymentId, attempt))
  if (settled?.status === 'failed') {
    if (attempt?.status === 'failed' && attempt.reason === unknownToken.reason) throw invalid(unknownToken.issue)
    throw new TollgateError('PAYMENT_FAILED', { values: { reason: settled.message } })
  }
  return showCardLink(ctx, link)
}

async function requireRow(ctx: Context, id: Id<'subscription'>): Promise<SubscriptionRow> {
  const row = await findSubscriptionById(ctx.db, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return row
}

/** Ends the attempts of this link that wait for the customer: they try again, perhaps by another card. */
async function endFormer(ctx: Context, { organizationId, customerId }: SubscriptionRow, madeAt: Date): Promise<void> {
  for (const setup of await listSetupsSince(ctx.db, organizationId, customerId, madeAt)) {
    const processor = setup.status === 'pending' ? ctx.payments.byName(setup.processor) : undefined
    const standing = processor && (await lookAt(ctx, processor, setup))
    if (processor && standing?.status === 'requires_action')
      await settlePayment(ctx, setup.id, await processor.cancel(setup.id))
  }
}
