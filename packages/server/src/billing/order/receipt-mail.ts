import type { SaleTax } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { enqueueMail } from '../../mail/mail.jobs.ts'
import type { MailLocale } from '../../mail/templates.ts'
import type { CheckoutRow } from '../checkout/checkout.repository.ts'
import { checkoutUrl, clientSecretOf } from '../checkout/checkout-view.ts'
import type { DocumentRow } from '../documents/document.repository.ts'
import type { Issued } from '../documents/issue.service.ts'
import type { OrderRow } from './order.repository.ts'
import type { OrderSnapshot } from './order-view.ts'

/**
 * Orders the mail with the receipt, once for each order. It goes to the address that was given at the checkout, and says
 * nothing that was not given or shown there: whoever typed somebody else's address learns and tells nothing by it.
 */
export async function mailReceipt(
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow,
  order: OrderRow,
  documents: readonly DocumentRow[],
): Promise<void> {
  const { customerEmail, buyerLocale } = checkout
  const clientSecret = clientSecretOf(ctx, checkout)
  // Without its secret, sealed under another SECRET, nothing would lead to the receipt.
  if (customerEmail === null || clientSecret === '') return
  const { product, seller } = order.snapshot as OrderSnapshot // written by `fulfil`
  const document = mailedOf(documents)
  await enqueueMail(ctx, tx, {
    id: `receipt ${order.id}`,
    to: customerEmail,
    locale: (buyerLocale ?? 'en') as MailLocale, // written from a caller's
    template: 'receipt',
    documentIds: document ? [document.id] : [],
    data: {
      name: checkout.customerName ?? '',
      url: `${checkoutUrl(ctx, clientSecret)}/confirmation`,
      organizationName: seller.name,
      documentNumber: document?.number ?? order.invoiceNumber,
      documentKind: document?.kind === 'invoice' ? 'invoice' : 'receipt',
      paidOn: order.createdAt.toISOString(),
      currency: order.currency,
      items: [{ label: product.name, amount: order.subtotalAmount }],
      discountAmount: order.discountAmount,
      ...taxOf(order.taxAmount, order.tax as SaleTax | null), // written by ourselves
      totalAmount: order.totalAmount,
      isTest: ctx.payments.byName(checkout.processor)?.isTest ?? false,
    },
  })
}

/** Of several documents the one that is mailed: the invoice where there is one, else the receipt. */
function mailedOf(documents: readonly DocumentRow[]): DocumentRow | undefined {
  const byKind = (wanted: string) => documents.find(({ kind }) => kind === wanted)
  return byKind('invoice') ?? byKind('receipt')
}

/** A credit note, and what its order had cost, tax included. */
type IssuedNote = Issued & { readonly paidAmount: number }

/** Orders the mail that says what was given back, once for each credit note, to the address that the receipt went to. */
export const mailCreditNote = (
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow | undefined,
  note: IssuedNote,
): Promise<void> => mailOfCreditNote(ctx, tx, checkout, note, { id: `credit-note ${note.id}`, template: 'refund' })

/** Orders the mail that says that it has come back, and that the credit note is void: once for each. */
export const mailVoidCreditNote = (
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow | undefined,
  note: IssuedNote,
): Promise<void> =>
  mailOfCreditNote(ctx, tx, checkout, note, { id: `credit-note-void ${note.id}`, template: 'refund-failed' })

async function mailOfCreditNote(
  ctx: Context,
  tx: Tx,
  checkout: CheckoutRow | undefined,
  { id, content, paidAmount }: IssuedNote,
  which: { readonly id: string; readonly template: 'refund' | 'refund-failed' },
): Promise<void> {
  const { locale, seller, number, paidAt, currency, lines, tax, taxAmount, totalAmount, isTest } = content
  if (!checkout || checkout.customerEmail === null) return
  await enqueueMail(ctx, tx, {
    ...which,
    to: checkout.customerEmail,
    locale,
    documentIds: [id],
    data: {
      name: checkout.customerName ?? '',
      organizationName: seller.name ?? '',
      documentNumber: number,
      paidOn: paidAt,
      currency,
      items: lines,
      discountAmount: 0,
      ...taxOf(taxAmount, tax),
      totalAmount,
      paidAmount,
      isTest,
    },
  })
}

/** A tax as mails name it. */
const taxOf = (taxAmount: number, tax: SaleTax | null) => ({
  taxAmount,
  taxes: (tax?.lines ?? []).map(({ name, percent, amount }) => ({ name, percent, amount })),
  isReverseCharge: tax?.treatment === 'reverse_charge',
})
