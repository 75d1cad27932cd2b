import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { enqueueMail } from '../../mail/mail.jobs.ts'
import type { MailLocale } from '../../mail/templates.ts'
import type { CheckoutRow } from '../checkout/checkout.repository.ts'
import { checkoutUrl, clientSecretOf } from '../checkout/checkout-view.ts'
import type { OrderRow } from './order.repository.ts'
import type { OrderSnapshot } from './order-view.ts'

/**
 * Orders the mail with the receipt, once for each order. It goes to the address that was given at the checkout, and says
 * nothing that was not given or shown there: whoever typed somebody else's address learns and tells nothing by it.
 */
export async function mailReceipt(ctx: Context, tx: Tx, checkout: CheckoutRow, order: OrderRow): Promise<void> {
  const { customerEmail, buyerLocale } = checkout
  const clientSecret = clientSecretOf(ctx, checkout)
  // Without its secret, sealed under another SECRET, nothing would lead to the receipt.
  if (customerEmail === null || clientSecret === '') return
  const { product, seller } = order.snapshot as OrderSnapshot // written by `fulfil`
  await enqueueMail(ctx, tx, {
    id: `receipt ${order.id}`,
    to: customerEmail,
    locale: (buyerLocale ?? 'en') as MailLocale, // written from a caller's
    template: 'receipt',
    data: {
      name: checkout.customerName ?? '',
      url: `${checkoutUrl(ctx, clientSecret)}/confirmation`,
      organizationName: seller.name,
      invoiceNumber: order.invoiceNumber,
      paidOn: order.createdAt.toISOString(),
      currency: order.currency,
      items: [{ label: product.name, amount: order.subtotalAmount }],
      discountAmount: order.discountAmount,
      taxAmount: order.taxAmount,
      totalAmount: order.totalAmount,
      isTest: checkout.processor === 'sandbox',
    },
  })
}
