import { comingCharges, orderName } from '@tollgate/contract/billing'
import type { CheckoutPublic, Order, OrderDocument, Refund } from '@tollgate/contract/billing-types'
import type { PageData, PageReceipt } from '@tollgate/contract/pages'
import { readExpiredCheckout } from '../features/billing/checkout/checkout.service.ts'
import { documentsOfOrder } from '../features/billing/documents/document.service.ts'
import { readSellerAtLaw } from '../features/billing/documents/seller-at-law.service.ts'
import { sellerOfObject } from '../features/billing/seller/seller.service.ts'
import { billingApi } from '../features/billing-api.ts'
import { dispatch } from '../foundation/http/dispatch.ts'
import { likelyCountry } from '../foundation/http/likely-country.ts'
import { look } from './invitation-look.ts'
import type { PageMaker, PageMakers } from './page-data.ts'
import type { Visit } from './visit.ts'

/** The checkout and its receipt (frontend, 2.4). The client secret in the URL authorizes the visitor. */
export const checkoutPageMakers: PageMakers = {
  '/checkout/:clientSecret': ofCheckout(checkoutPage),
  '/checkout/:clientSecret/confirmation': ofCheckout(confirmationPage),
  '/checkout/:clientSecret/documents/:id': ofCheckout(documentPage),
}

async function checkoutPage(visit: Visit, checkout: CheckoutPublic): Promise<PageData | Response> {
  if (checkout.status === 'succeeded') return visit.redirect(`${visit.url.pathname}/confirmation${visit.url.search}`)
  const session = await visit.session()
  const declined = checkout.status === 'open' ? checkout.paymentProcessorMetadata.decline_reason : undefined
  const country = likelyCountry(visit.headers)
  return visit.data('checkout', {
    ...buying(visit, checkout),
    ...(session && { signedInAs: { name: session.user.name, email: session.user.email } }),
    ...(declined !== undefined && { declined }),
    ...(country !== undefined && { likelyCountry: country }),
    ...(visit.ctx.tax.kind === 'none' && { isUntaxed: true }),
  })
}

async function confirmationPage(visit: Visit, checkout: CheckoutPublic): Promise<PageData | Response> {
  if (checkout.status === 'open') return visit.redirect(visit.url.pathname.replace(/\/confirmation$/, ''))
  const receipt = checkout.status === 'succeeded' ? await receiptOf(visit, checkout) : undefined
  return visit.data('checkout-confirmation', { ...buying(visit, checkout), ...(receipt && { receipt }) })
}

/**
 * Redirects to a document of the order. The file's URL expires after an hour; this page lasts as long as the receipt.
 */
async function documentPage(visit: Visit, checkout: CheckoutPublic): Promise<PageData | Response> {
  const order = await orderOf(visit, checkout)
  const documents = order ? await documentsOf(visit, checkout, order) : []
  const document = documents.find(({ id }) => id === visit.params.id)
  return document ? visit.redirect(document.url) : visit.data('not-found', {})
}

/** Props of both pages; `embedded` only if the seller named the embedding origin. */
const buying = ({ params, query }: Visit, checkout: CheckoutPublic) => ({
  clientSecret: params.clientSecret ?? '',
  checkout,
  ...(checkout.embedOrigin !== null && query.has('embed') && { embedded: true }),
})

/** A page about the checkout of the URL. One that has ended and an unknown secret have pages of their own. */
function ofCheckout(pageOf: (visit: Visit, checkout: CheckoutPublic) => Promise<PageData | Response>): PageMaker {
  return async (visit) => {
    const { clientSecret } = visit.params
    const { found, refusal } = await look(visit.billing('getClientCheckout', { params: { clientSecret } }))
    if (refusal === 'EXPIRED_CHECKOUT') return expiredPage(visit)
    if (!found) return visit.data('not-found', {})
    if (found.status !== 'expired' && found.status !== 'failed') return pageOf(visit, found)
    const { status, organization: seller, product, returnUrl } = found
    return visit.data('checkout-closed', { status, seller, product: product.name, back: returnUrl })
  }
}

/** Links back to the buyer's origin if it is known, otherwise to the seller's current offer. */
async function expiredPage(visit: Visit): Promise<PageData> {
  const expired = await readExpiredCheckout(visit.ctx, visit.params.clientSecret ?? '')
  // It may have been deleted since the first read.
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

// The client secret authorizes the buyer, so the server makes the following calls itself, as the seller.

async function orderOf({ ctx }: Visit, { organizationId, id }: CheckoutPublic): Promise<Order | undefined> {
  const { answer } = await dispatch(ctx, billingApi, 'listOrders', { query: { organizationId, checkoutId: id } })
  return answer.items[0]
}

async function documentsOf({ ctx }: Visit, checkout: CheckoutPublic, order: Order): Promise<readonly OrderDocument[]> {
  return (await documentsOfOrder(ctx, sellerOfObject(checkout), order.id)).items
}

/** The paid order of a checkout as its buyer may see it, without the seller's notes. */
async function receiptOf(visit: Visit, checkout: CheckoutPublic): Promise<PageReceipt | undefined> {
  const order = await orderOf(visit, checkout)
  if (!order) return undefined
  const { ctx } = visit
  const { organizationId } = checkout
  const [payments, refunds, documents, sellerAtLaw] = await Promise.all([
    dispatch(ctx, billingApi, 'listPayments', {
      query: { organizationId, checkoutId: checkout.id, status: 'succeeded' },
    }),
    order.refundedAmount + order.refundedTaxAmount === 0
      ? undefined
      : dispatch(ctx, billingApi, 'listRefunds', {
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

/** Maximum number of refunds that a receipt lists separately. */
const mostRefunds = 100

type RefundsRead = {
  readonly items: readonly Pick<Refund, 'createdAt' | 'amount' | 'taxAmount'>[]
  /** Present, because the request pages by number. */
  readonly pagination: { readonly totalCount?: number | undefined }
}
type GivenBack = Pick<PageReceipt, 'refunds' | 'refundedBefore'>

/** The refund lines of a receipt add up to the refunded amount; `refundedBefore` sums the refunds without a line. */
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

/** The buyer is as typed at this checkout: the customer with that address may be another person. */
function toReceipt(checkout: CheckoutPublic, order: Order, card: PageReceipt['card'] | undefined): Bought {
  const { createdAt, status, currency } = order
  const { subtotalAmount, discountAmount, netAmount, taxAmount, tax, totalAmount } = order
  return {
    number: orderName(order),
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

/** The coming charges of the subscription; empty for a free one. */
function renewalOf(checkout: CheckoutPublic, order: Order): Pick<PageReceipt, 'renewal'> {
  const { product, trialEnd } = checkout
  const { subscription } = order
  // The order of a trial is free; what follows is what its checkout has shown.
  const { amount, netAmount, discount } = trialEnd === null ? { ...order, amount: order.subtotalAmount } : checkout
  if (!subscription?.currentPeriodEnd) return {}
  const interval = subscription.recurringInterval
  const hasUsage = product.prices.some(({ amountType }) => amountType === 'metered_unit')
  const charges = comingCharges({ interval, amount, netAmount, discount }, trialEnd === null ? 1 : 0)
  if (!charges && !hasUsage) return {}
  return { renewal: { interval, at: subscription.currentPeriodEnd, hasUsage, ...(charges && { charges }) } }
}
