import type { Customer } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { tellStateOf } from '../customer/customer-state.ts'
import { readCustomers } from '../customer/customer-view.ts'
import { mailReceipt } from '../documents/receipt-mail.ts'
import type { OrderRow } from '../order/order.repository.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import { type OrderDraft, postOrder } from '../posting/post-order.service.ts'
import { type Started, startSubscription } from '../posting/start-subscription.service.ts'
import { type CheckoutRow, transitionCheckout } from './checkout.repository.ts'
import { checkoutUrl, clientSecretOf, emitCheckout, type Sale } from './checkout-view.ts'
import { computeSale, computeTrial, storedPrice } from './pricing.ts'

/** The buying customer, and the payment with the method that it saved; a free purchase has neither. */
export type Purchase = {
  readonly customerId: Id<'customer'>
  readonly paymentMethodId: Id<'paymentMethod'> | null
  readonly payment: PaymentRow | undefined
  /** The customer's credit that pays a part, or all of it. */
  readonly balance: number
}

/**
 * Delivers a purchase that is paid or free: subscription, order, the checkout's success, their events in the contract's
 * order (3.10), and the mailed receipt. The checkout is confirmed and locked. Archived products are delivered too,
 * because the money was taken (CHK-19). The order comes last, because its invoice number makes other sales wait.
 */
export async function fulfil(
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow,
  sale: Sale,
  purchase: Purchase,
): Promise<OrderRow> {
  const { organizationId } = checkout
  const customers = await readCustomers(ctx, tx, organizationId, [purchase.customerId])
  const customer = proven(customers.get(purchase.customerId), 'the customer was locked for this purchase')
  const succeeded = await transitionCheckout(tx, checkout.id, 'succeeded', {
    customerId: customer.id,
    processorMetadata: {},
    modifiedAt: ctx.clock.now(),
  })
  if (!succeeded) throw new Error(`checkout ${checkout.id} cannot be fulfilled: it is not confirmed`)
  const started = sale.product.isRecurring ? await subscribe(ctx, tx, checkout, sale, customer, purchase) : undefined
  const { order, documents } = await postOrder(
    ctx,
    tx,
    draftOf(ctx, checkout, sale, { ...purchase, customer, started }),
  )
  await emitCheckout(ctx, tx, null, 'checkout.updated', succeeded, sale)
  await tellStateOf(ctx, tx, organizationId, customer)
  const clientSecret = clientSecretOf(ctx, checkout)
  // Without the client secret (its SECRET is no longer configured) the mail's link would lead nowhere.
  if (clientSecret !== '') {
    const url = `${checkoutUrl(ctx, clientSecret)}/confirmation`
    await mailReceipt(ctx, tx, { order, documents, url })
  }
  return order
}

const subscribe = (
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow,
  { product, prices, discount }: Sale,
  customer: Customer,
  { paymentMethodId }: Purchase,
): Promise<Started> =>
  startSubscription(ctx, tx, {
    organizationId: checkout.organizationId,
    customer,
    product,
    prices,
    discount,
    amount: checkout.netAmount,
    isDiscounted: checkout.discountAmount > 0,
    chosenAmount: storedPrice(checkout),
    currency: checkout.currency,
    checkoutId: checkout.id,
    paymentMethodId,
    customFieldData: checkout.customFieldData,
    metadata: checkout.metadata,
    replacesId: checkout.subscriptionId,
    trial: trialPeriodOf(checkout),
  })

/** A trial runs from the confirmation on, however long the buyer's bank has asked them to wait. */
const trialPeriodOf = ({ trialEnd, confirmedAt }: CheckoutRow) =>
  trialEnd === null ? undefined : { start: proven(confirmedAt, 'it is confirmed'), end: trialEnd }

type Bought = {
  readonly customer: Customer
  readonly payment: PaymentRow | undefined
  readonly balance: number
  readonly started: Started | undefined
}

/** The order of a checkout (ORD-4): what the buyer has seen and confirmed, not what it would cost now. */
function draftOf(
  ctx: Context,
  checkout: CheckoutRow,
  sale: Sale,
  { customer, payment, balance, started }: Bought,
): OrderDraft {
  // Only a known buyer gets the customer's stored details on the invoice; a stranger gets only their own input.
  const known = checkout.isBuyerKnown ? customer : undefined
  const reason = !started ? 'purchase' : started.isNew ? 'subscription_create' : 'subscription_update'
  const period = started && {
    start: started.row.currentPeriodStart,
    end: proven(started.row.currentPeriodEnd, 'a started subscription has a period'),
  }
  return {
    organizationId: checkout.organizationId,
    billingReason: reason,
    computed: checkout.trialEnd
      ? computeTrial(checkout, sale, period ?? null)
      : computeSale(checkout, sale, period ?? null, balance),
    currency: checkout.currency,
    taxBehavior: checkout.taxBehavior,
    product: sale.product,
    // The discount begins with the first period that is paid (SUB-25).
    discount: checkout.trialEnd ? undefined : sale.discount,
    buyer: {
      customer,
      isKnown: checkout.isBuyerKnown,
      name: checkout.customerName,
      email: checkout.customerEmail,
      taxId: checkout.customerTaxId,
      locale: checkout.buyerLocale,
      billingName: checkout.customerBillingName ?? checkout.customerName ?? known?.billingName ?? known?.name ?? null,
      billingAddress: checkout.customerBillingAddress ?? known?.billingAddress ?? null,
    },
    ...(started && period && { subscription: { row: started.row, period, cause: reason } }),
    checkoutId: checkout.id,
    payment,
    isTest: payment?.isTest ?? ctx.payments.byName(checkout.processor)?.isTest ?? false,
    customFieldData: checkout.customFieldData,
    metadata: checkout.metadata,
  }
}
