import { after, days } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import type { DocumentRow } from '../documents/document.repository.ts'
import { receiptNumber } from '../order/invoice-number.ts'
import type { OrderRow } from '../order/order.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import type { InvoiceTerms } from '../posting/post-order.service.ts'
import { payLinkTo } from './pay-link.ts'

/*
 * Collection by invoice: nothing is charged. An order with something due gets its invoice when it is posted, with the day
 * until which its customer pays it: by card with the link, or in another way, which the seller notes.
 */

/** Whether invoices collect a subscription. */
export const isByInvoice = ({ collectionMethod }: Pick<SubscriptionRow, 'collectionMethod'>): boolean =>
  collectionMethod === 'send_invoice'

/** Days from the due date to each notice, the number of which is its place. */
export const noticeDays = [-3, 0, 1] as const

/**
 * The terms of an order that is posted now; undefined where the saved card pays. The days count from the present, however
 * long ago its period was due. A reminder at its issue, or before it, is over already.
 */
export function termsOf(
  ctx: Context,
  row: Pick<SubscriptionRow, 'collectionMethod' | 'netTermsDays'>,
): InvoiceTerms | undefined {
  if (!isByInvoice(row)) return undefined
  const issuedAt = ctx.clock.present()
  const dueAt = after(issuedAt, days(row.netTermsDays ?? 0))
  const dueNotice = noticeDays.filter((ahead) => after(dueAt, days(ahead)) <= issuedAt).length
  return { dueAt, dueNotice, payUrlOf: (id: Id<'order'>) => payLinkTo(ctx, { kind: 'order', id }, dueAt).url }
}

/** Mails the invoice of an order that was posted with it, and begins to look after its payment. */
export async function sendInvoice(
  ctx: Context,
  tx: Tx,
  order: OrderRow,
  documents: readonly DocumentRow[],
): Promise<void> {
  const { id, organizationId } = order
  await enqueue(tx, ctx.clock.now(), {
    id: `collect-invoice ${id}`,
    kind: 'collect-invoice',
    payload: id,
    organizationId,
  })
  await mailInvoice(ctx, tx, order, { template: 'invoice-issued', documents })
}

type OpenMail = {
  readonly template: 'invoice-issued' | 'invoice-due'
  readonly documents?: readonly DocumentRow[]
}

/** Mails an open invoice, or a reminder of it, with the link to pay. */
export async function mailInvoice(
  ctx: Context,
  tx: Tx,
  order: OrderRow,
  { template, documents = [] }: OpenMail,
): Promise<void> {
  if (order.buyerEmail === null || order.dueAt === null) return
  await enqueueMail(ctx, tx, {
    id: `${template} ${order.id} ${order.dueNotice}`,
    to: order.buyerEmail,
    locale: order.buyerLocale ?? 'en',
    template,
    documentIds: documents.map(({ id }) => id),
    sellerId: order.organizationId,
    data: invoiceData(ctx, order, order.dueAt),
  })
}

/** What mails say of an open invoice. */
export const invoiceData = (ctx: Context, order: OrderRow, dueAt: Date) => ({
  name: order.buyerName ?? '',
  organizationName: order.snapshot.seller.name,
  productName: order.snapshot.product.name,
  documentNumber: order.invoiceNumber ?? receiptNumber(order),
  currency: order.currency,
  totalAmount: order.totalAmount + order.appliedBalanceAmount,
  url: payLinkTo(ctx, { kind: 'order', id: order.id }, dueAt).url,
  dueOn: dueAt.toISOString(),
  isTest: order.isTest,
})
