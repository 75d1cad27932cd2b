import { comingCharges } from '@tollgate/contract/billing'
import type { CheckoutPublic, Order, OrderDocument, Refund } from '@tollgate/contract/billing-types'
import type { PageData, PageReceipt } from '@tollgate/contract/pages'
import { readExpiredCheckout } from '../billing/checkout/checkout.service.ts'
import { listOrderDocuments } from '../billing/documents/document.service.ts'
import { readSellerAtLaw } from '../billing/documents/seller-at-law.service.ts'
import { sellerOfObject } from '../billing/seller/seller.service.ts'
import { dispatchBilling, isBillingServed } from '../http/billing-dispatch.ts'
import { look } from './invitation-look.ts'
import type { PageMaker } from './page-data.ts'
import type { Visit } from './visit.ts'

/** Where somebody buys, and what is left of it afterwards (frontend, 2.4). The secret in the address is the way in. */
export const checkoutPageMakers: Readonly<Record<string, PageMaker>> = {
  '/checkout/:clientSecret': checkoutPage,
  '/checkout/:clientSecret/confirmation': confirmationPage,
  '/checkout/:clientSecret/documents/:id': documentPage,
}

async function checkoutPage(visit: Visit): Promise<PageData | Response> {
  const checkout = await findCheckout(visit)
  if (!checkout || 'page' in checkout) return checkout ?? visit.data('not-found', {})
  if (checkout.status === 'succeeded') return visit.redirect(`${visit.url.pathname}/confirmation${visit.url.search}`)
  const session = await visit.session()
  const declined = checkout.status === 'open' ? checkout.paymentProcessorMetadata.decline_reason : undefined
  return visit.data('checkout', {
    ...buying(visit, checkout),
    ...(session && { signedInAs: { name: session.user.name, email: session.user.email } }),
    ...(declined !== undefined && { declined }),
  })
}

async function confirmationPage(visit: Visit): Promise<PageData | Response> {
  const checkout = await findCheckout(visit)
  if (!checkout || 'page' in checkout) return checkout ?? visit.data('not-found', {})
  if (checkout.status === 'open') return visit.redirect(visit.url.pathname.replace(/\/confirmation$/, ''))
  const receipt = checkout.status === 'succeeded' ? await receiptOf(visit, checkout) : undefined
  return visit.data('checkout-confirmation', { ...buying(visit, checkout), ...(receipt && { receipt }) })
}

/** Leads to one of the documents of what was bought: a link to one works for an hour, the receipt for as long as it is kept. */
async function documentPage(visit: Visit): Promise<PageData | Response> {
  const checkout = await findCheckout(visit)
  if (!checkout || 'page' in checkout) return checkout ?? visit.data('not-found', {})
  const order = await orderOf(visit, checkout)
  const documents = order ? await documentsOf(visit, checkout, order) : []
  const document = documents.find(({ id }) => id === visit.params.id)
  return document ? visit.redirect(document.url) : visit.data('not-found', {})
}

/** What both pages are given; in a frame only where the seller has said on whose page. */
const buying = ({ params, query }: Visit, checkout: CheckoutPublic) => ({
  clientSecret: params.clientSecret ?? '',
  checkout,
  ...(checkout.embedOrigin !== null && query.has('embed') && { embedded: true }),
})

/** The checkout of the address; one that has come to an end is a page of its own, and an unknown secret is nothing. */
async function findCheckout(visit: Visit): Promise<CheckoutPublic | PageData | undefined> {
  if (!isBillingServed(visit.ctx.config)) return undefined
  const { clientSecret } = visit.params
  const { found, refusal } = await look(visit.billing('getClientCheckout', { params: { clientSecret } }))
  if (refusal === 'EXPIRED_CHECKOUT') return expiredPage(visit)
  if (found?.status === 'expired' || found?.status === 'failed') {
    const { status, organization: seller, product, returnUrl } = found
    return visit.data('checkout-closed', { status, seller, product: product.name, back: returnUrl })
  }
  return found
}

/** Leads back to where the buyer came from, as far as that is known; else to what the seller has on offer now. */
async function expiredPage(visit: Visit): Promise<PageData> {
  const expired = await readExpiredCheckout(visit.ctx, visit.params.clientSecret ?? '')
  // It may have been forgotten a moment ago.
  if (!expired) return visit.data('checkout-closed', { status: 'expired' })
  const { seller, product, returnUrl } = expired
  const offer = seller.maySell ? `/pricing/${encodeURIComponent(seller.slug)}` : null
  return visit.data('checkout-closed', {
    status: 'expired',
    seller,
    product,
    back: returnUrl ?? seller.website ?? offer,
  })
}

// The secret has shown that the checkout is theirs: these calls are the server's own, for its seller.

async function orderOf({ ctx }: Visit, { organizationId, id }: CheckoutPublic): Promise<Order | undefined> {
  const { answer } = await dispatchBilling(ctx, 'listOrders', { query: { organizationId, checkoutId: id } })
  return answer.items[0]
}

async function documentsOf({ ctx }: Visit, checkout: CheckoutPublic, order: Order): Promise<readonly OrderDocument[]> {
  return (await listOrderDocuments(ctx, sellerOfObject(checkout), order.id)).items
}

/** The paid order of a checkout, as its buyer may see it: nothing of the seller's own notes. */
async function receiptOf(visit: Visit, checkout: CheckoutPublic): Promise<PageReceipt | undefined> {
  const order = await orderOf(visit, checkout)
  if (!order) return undefined
  const { ctx } = visit
  const { organizationId } = checkout
  const [payments, refunds, documents, sellerAtLaw] = await Promise.all([
    dispatchBilling(ctx, 'listPayments', { query: { organizationId, checkoutId: checkout.id, status: 'succeeded' } }),
    order.refundedAmount + order.refundedTaxAmount === 0
      ? undefined
      : dispatchBilling(ctx, 'listRefunds', {
          query: { organizationId, orderId: order.id, status: 'succeeded', limit: mostRefunds },
        }),
    documentsOf(visit, checkout, order),
    readSellerAtLaw(ctx.db, organizationId, order.id),
  ])
  return {
    ...toReceipt(checkout, order, payments.answer.items.find(({ methodMetadata }) => methodMetadata)?.methodMetadata),
    sellerAtLaw,
    ...givenBack(order, refunds?.answer),
    documents: documents.map(({ id, kind, number }) => ({ id, kind, number })),
  }
}

/** Most refunds that stand on a receipt one by one. */
const mostRefunds = 100

type RefundsRead = {
  readonly items: readonly Pick<Refund, 'createdAt' | 'amount' | 'taxAmount'>[]
  /** Counted, since the page is asked for by its number. */
  readonly pagination: { readonly totalCount?: number | undefined }
}
type GivenBack = Pick<PageReceipt, 'refunds' | 'refundedBefore'>

/** What the lines of a receipt say was given back comes to what was, also where there are more refunds than lines. */
export function givenBack(
  { refundedAmount, refundedTaxAmount }: Pick<Order, 'refundedAmount' | 'refundedTaxAmount'>,
  page?: RefundsRead,
): GivenBack {
  if (!page) return { refunds: [], refundedBefore: 0 }
  const refunds = page.items.map(({ createdAt, amount, taxAmount }) => ({ at: createdAt, amount: amount + taxAmount }))
  if ((page.pagination.totalCount ?? 0) <= refunds.length) return { refunds, refundedBefore: 0 }
  const shown = refunds.reduce((sum, { amount }) => sum + amount, 0)
  return { refunds, refundedBefore: refundedAmount + refundedTaxAmount - shown }
}

type Bought = Omit<PageReceipt, 'sellerAtLaw' | 'documents' | keyof GivenBack>

/** Who bought is as they said at this checkout: the customer under that address may be somebody else. */
function toReceipt(checkout: CheckoutPublic, order: Order, card: PageReceipt['card'] | undefined): Bought {
  const { invoiceNumber, createdAt, status, currency } = order
  const { subtotalAmount, discountAmount, netAmount, taxAmount, tax, totalAmount } = order
  return {
    invoiceNumber,
    createdAt,
    status,
    currency,
    subtotalAmount,
    discountAmount,
    netAmount,
    taxAmount,
    tax,
    totalAmount,
    items: order.items.map(({ label, amount }) => ({ label, amount })),
    buyer: {
      name: order.billingName,
      email: checkout.customerEmail ?? '',
      billingAddress: order.billingAddress,
      taxId: checkout.customerTaxId,
    },
    discount: order.discount ? (order.discount.code ?? order.discount.name) : null,
    ...(card && totalAmount > 0 && { card }),
    ...renewalOf(checkout, order),
  }
}

/** What the subscription goes on with; nothing of one that costs nothing. */
function renewalOf({ product }: CheckoutPublic, order: Order): Pick<PageReceipt, 'renewal'> {
  const { subscription, subtotalAmount: amount, netAmount, discount } = order
  if (!subscription?.currentPeriodEnd) return {}
  const interval = subscription.recurringInterval
  const hasUsage = product.prices.some(({ amountType }) => amountType === 'metered_unit')
  const charges = comingCharges({ interval, amount, netAmount, discount })
  if (!charges && !hasUsage) return {}
  return { renewal: { interval, at: subscription.currentPeriodEnd, hasUsage, ...(charges && { charges }) } }
}
