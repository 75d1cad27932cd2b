import type { SaleTax } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import type { OrderRow } from '../order/order.repository.ts'
import type { DocumentRow } from './document.repository.ts'
import type { Issued } from './issue.service.ts'

/** A purchase, its documents, and the page that the mail links to. */
type Receipt = {
  readonly order: OrderRow
  readonly documents: readonly DocumentRow[]
  readonly url: string
}

/**
 * Queues the receipt mail, once per order, to the address from the checkout. The mail contains only what was entered
 * or shown there: a buyer who types a stranger's address learns and reveals nothing.
 */
export async function mailReceipt(ctx: Context, tx: Tx, { order, documents, url }: Receipt): Promise<void> {
  if (order.buyerEmail === null) return
  const { product, seller } = order.snapshot
  const document = mailedOf(documents)
  const { isTest } = order
  await enqueueMail(ctx, tx, {
    id: `receipt ${order.id}`,
    to: order.buyerEmail,
    locale: order.buyerLocale ?? 'en',
    template: 'receipt',
    documentIds: document ? [document.id] : [],
    sellerId: order.organizationId,
    data: {
      name: order.buyerName ?? '',
      url,
      organizationName: seller.name,
      documentNumber: document?.number ?? order.receiptNumber ?? '',
      documentKind: document?.kind === 'invoice' ? 'invoice' : 'receipt',
      paidOn: order.createdAt.toISOString(),
      currency: order.currency,
      items: [{ label: product.name, amount: order.subtotalAmount }],
      discountAmount: order.discountAmount,
      ...taxOf(order.taxAmount, order.tax),
      totalAmount: order.totalAmount,
      isTest,
    },
    // Free purchases could flood any mailbox, so they are rate-limited. Receipts for real money or known buyers wait.
    mayBeDropped: !order.isBuyerKnown && (order.totalAmount === 0 || isTest),
  })
}

/** The document to mail: the invoice if there is one, else the receipt. */
function mailedOf(documents: readonly DocumentRow[]): DocumentRow | undefined {
  const byKind = (wanted: string) => documents.find(({ kind }) => kind === wanted)
  return byKind('invoice') ?? byKind('receipt')
}

/** A credit note, and its order with the total that includes tax. */
type IssuedNote = Issued & { readonly order: OrderRow }

/** Queues the refund mail, once per credit note, to the receipt's address. */
export const mailCreditNote = noteMail('refund', 'credit-note')

/** Queues the mail that the money has come back and the credit note is void, once per credit note. */
export const mailVoidCreditNote = noteMail('refund-failed', 'credit-note-void')

/** `kind` begins the ids of the mails. */
function noteMail(template: 'refund' | 'refund-failed', kind: string) {
  return async (ctx: Context, tx: Tx, note: IssuedNote): Promise<void> => {
    const { order } = note
    const { locale, seller, number, paidAt, currency, lines, tax, taxAmount, totalAmount, isTest } = note.content
    if (order.buyerEmail === null) return
    await enqueueMail(ctx, tx, {
      id: `${kind} ${note.id}`,
      to: order.buyerEmail,
      locale,
      template,
      documentIds: [note.id],
      sellerId: order.organizationId,
      data: {
        name: order.buyerName ?? '',
        organizationName: seller.name ?? '',
        documentNumber: number,
        paidOn: paidAt,
        currency,
        items: lines,
        discountAmount: 0,
        ...taxOf(taxAmount, tax),
        totalAmount,
        paidAmount: order.totalAmount,
        isTest,
      },
    })
  }
}

/** The tax of a sale, as mails name it. */
const taxOf = (taxAmount: number, tax: SaleTax | null) => ({
  taxAmount,
  taxes: (tax?.lines ?? []).map(({ name, percent, amount }) => ({ name, percent, amount })),
  isReverseCharge: tax?.treatment === 'reverse_charge',
})
