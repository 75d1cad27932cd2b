import type { Selectable } from 'kysely'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import type { InputIssue } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { inBody } from '../invalid.ts'
import { findMerchant, type MerchantRow } from '../merchant/merchant.repository.ts'
import { listPaymentsOfOrder } from '../order/allocation.repository.ts'
import { creditNoteNumber, invoiceNumber } from '../order/invoice-number.ts'
import { takeNumber } from '../order/invoice-series.repository.ts'
import {
  findOrder,
  itemsOfOrders,
  type OrderItemRow,
  type OrderRow,
  setInvoiceNumber,
  updateOrder,
} from '../order/order.repository.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import { storedTaxSettings } from '../tax/tax-settings.ts'
import { shareOfTax } from './credit-note-tax.ts'
import {
  type DocumentRow,
  findCreditNote,
  findOrderDocument,
  insertDocuments,
  insertFirstDocuments,
  listValidCreditNotes,
} from './document.repository.ts'
import type { DocumentContent } from './drawing/document-content.ts'
import { mailCreditNote, mailVoidCreditNote } from './receipt-mail.ts'

/**
 * Issues documents, each in the transaction that causes it, with its whole content. Later changes of the seller, the
 * buyer or the order do not reach it.
 */

/** An order and its related rows. */
type Sold = {
  readonly order: OrderRow
  readonly items: readonly OrderItemRow[]
  /** The payment, where the caller has it; null if nothing was to be paid. */
  readonly paidBy?: Pick<PaymentRow, 'methodMetadata'> | null
  /** The seller, where the caller has it. */
  readonly merchant?: MerchantRow | undefined
}

/** What an order lacks for an invoice: the buyer's name, and their address (ORD-7). */
export function missingForInvoice({
  billingName,
  billingAddress,
}: Pick<OrderRow, 'billingName'> & { readonly billingAddress: unknown }): InputIssue[] {
  const name = inBody('billing_name', 'The invoice requires a billing name on the order.', 'missing')
  const address = inBody('billing_address', 'The invoice requires a billing address on the order.', 'missing')
  return [...(billingName === null ? [name] : []), ...(billingAddress === null ? [address] : [])]
}

/** Issues the documents of an order when it is paid: the receipt, and the invoice if it is finalized then. */
export async function issueAtSale(
  ctx: Context,
  tx: Tx,
  sold: Sold,
  { isInvoiced }: { readonly isInvoiced: boolean },
): Promise<DocumentRow[]> {
  const content = await contentOf(ctx, tx, sold)
  const invoice = isInvoiced ? [newDocument(sold.order, invoiceOf(content))] : []
  const documents = [...invoice, newDocument(sold.order, receiptOf(sold.order, content))]
  await insertFirstDocuments(tx, documents)
  return documents
}

/** Issues the invoice of an order that is collected by it, with its due date and the page to pay it at. */
export async function issueOpenInvoice(ctx: Context, tx: Tx, sold: Sold, payUrl: string): Promise<DocumentRow> {
  const document = newDocument(sold.order, { ...invoiceOf(await contentOf(ctx, tx, sold)), payUrl })
  await insertFirstDocuments(tx, [document])
  return document
}

/**
 * Finalizes the invoice of an order that had none: gives it the next number of its series, unless it had one from
 * before invoices and orders were told apart. The caller holds the order's lock.
 */
export async function issueInvoiceLater(ctx: Context, tx: Tx, order: OrderRow): Promise<DocumentRow> {
  if (order.invoiceNumber !== null) return issueLater(ctx, tx, order, 'invoice')
  const sold = await readSold(tx, order)
  const number = invoiceNumber(await takeNumber(tx, order.organizationId, 'invoice'))
  const numbered = proven(await setInvoiceNumber(tx, order.id, number), 'the order is locked and has no number')
  return issueOne(tx, numbered, invoiceOf(await contentOf(ctx, tx, { ...sold, order: numbered })))
}

/** Issues one of the two for an order without one, such as an order from before documents existed. */
export async function issueLater(
  ctx: Context,
  tx: Tx,
  order: OrderRow,
  kind: 'invoice' | 'receipt',
): Promise<DocumentRow> {
  const content = await contentOf(ctx, tx, await readSold(tx, order))
  return issueOne(tx, order, kind === 'invoice' ? invoiceOf(content) : receiptOf(order, content))
}

async function issueOne(tx: Tx, order: OrderRow, content: DocumentContent): Promise<DocumentRow> {
  const [issued] = await insertDocuments(tx, [newDocument(order, content)])
  // A concurrent request has issued it.
  const known = async () => await findOrderDocument(tx, order.id, content.kind)
  return issued ?? proven(await known(), 'an issued document is never deleted')
}

type RefundRow = Selectable<Tables['refund']>

/**
 * Issues and mails the credit note of a succeeded, numbered refund, to the invoice's recipient, with the share of the
 * invoice's tax. A second call changes nothing. The caller holds the lock of the refund's row.
 */
export async function issueCreditNote(ctx: Context, tx: Tx, refund: RefundRow): Promise<void> {
  const order = await findOrder(tx, refund.organizationId, refund.orderId)
  if (!order || refund.creditNoteNumber === null)
    throw new Error(`refund ${refund.id} has no order or no number for its credit note`)
  const sold = await readSold(tx, order)
  const invoice = await findOrderDocument(tx, order.id, 'invoice')
  const { dueAt: _, payUrl: __, ...known } = invoice ? contentIn(invoice) : await contentOf(ctx, tx, sold)
  const { product } = order.snapshot
  const now = ctx.clock.now().toISOString()
  const content: DocumentContent = {
    ...known,
    kind: 'credit_note',
    number: refund.creditNoteNumber,
    issuedAt: now,
    paidAt: (refund.settledAt ?? ctx.clock.now()).toISOString(),
    lines: [{ label: product.name, amount: refund.amount }],
    discount: null,
    netAmount: refund.amount,
    tax: known.tax && shareOfTax(known.tax, known.netAmount, await validCreditNotes(tx, order.id), refund),
    taxAmount: refund.taxAmount,
    totalAmount: refund.amount + refund.taxAmount,
  }
  const [issued] = await insertDocuments(tx, [{ ...newDocument(order, content), refundId: refund.id }])
  if (issued) await mailCreditNote(ctx, tx, { id: issued.id, content, order })
}

/**
 * Issues the credit note that cancels the invoice of a voided order in full, so that its number leaves no gap (ORD-7). An
 * order without an invoice needs none. The caller holds the order's lock.
 */
export async function issueVoidNote(ctx: Context, tx: Tx, order: OrderRow): Promise<void> {
  if (order.invoiceNumber === null) return
  const invoice = await findOrderDocument(tx, order.id, 'invoice')
  const known = invoice ? contentIn(invoice) : await contentOf(ctx, tx, await readSold(tx, order))
  const number = creditNoteNumber(await takeNumber(tx, order.organizationId, 'credit_note'))
  await updateOrder(tx, order.id, { creditNoteNumber: number })
  const now = ctx.clock.now().toISOString()
  const { suppliedAt: _, balanceAmount: __, dueAt: ___, payUrl: ____, ...content } = known
  await insertDocuments(tx, [
    newDocument(order, { ...content, kind: 'credit_note', number, issuedAt: now, paidAt: now, cancels: true }),
  ])
}

/** Mails that a credit note is void: the refunded money has come back to the seller (REF-5). */
export async function mailVoided(ctx: Context, tx: Tx, refund: RefundRow): Promise<void> {
  const order = await findOrder(tx, refund.organizationId, refund.orderId)
  const note = await findCreditNote(tx, refund.id)
  if (!order || !note) return
  await mailVoidCreditNote(ctx, tx, { id: note.id, content: contentIn(note), order })
}

/** What an order's valid credit notes gave back: those whose money has not come back. */
async function validCreditNotes(db: Db, orderId: Id<'order'>): Promise<DocumentContent[]> {
  const rows = await listValidCreditNotes(db, orderId)
  return rows.map(contentIn)
}

async function readSold(db: Db, order: OrderRow): Promise<Sold> {
  const items = await itemsOfOrders(db, [order.id])
  return { order, items: proven(items.get(order.id), 'every order has items') }
}

const invoiceOf = (content: DocumentContent): DocumentContent => ({
  ...content,
  kind: 'invoice',
  number: proven(content.invoiceNumber, 'an order with an invoice has its number'),
})

const receiptOf = ({ receiptNumber }: OrderRow, content: DocumentContent): DocumentContent => ({
  ...content,
  kind: 'receipt',
  number: proven(receiptNumber, 'a paid order has one'),
})

/** The content that all documents of an order share, as of now. */
async function contentOf(
  ctx: Context,
  db: Db,
  { order, items, paidBy, merchant: known }: Sold,
): Promise<DocumentContent> {
  const { organizationId, totalAmount } = order
  const merchant = known ?? (await findMerchant(db, organizationId))
  const payment = paidBy !== undefined ? paidBy : (await listPaymentsOfOrder(db, order.id)).at(-1)
  const { discount } = order.snapshot
  const paidAt = (order.paidAt ?? order.createdAt).toISOString()
  const lines = items.map(({ label, quantity, unitAmount, amount, periodStart, periodEnd }) => ({
    label,
    amount,
    ...(quantity > 1 && { quantity, ...(isWhole(unitAmount) && { unitAmount: Number(unitAmount) }) }),
    ...(periodStart && periodEnd && { period: { start: periodStart.toISOString(), end: periodEnd.toISOString() } }),
  }))
  return {
    kind: 'invoice',
    number: order.invoiceNumber ?? '',
    locale: order.buyerLocale ?? 'en',
    issuedAt: ctx.clock.now().toISOString(),
    invoiceNumber: order.invoiceNumber,
    paidAt,
    ...(order.paidAt === null && order.dueAt && { dueAt: order.dueAt.toISOString() }),
    ...(lines.every(({ period }) => period === undefined) && { suppliedAt: paidAt }),
    currency: order.currency,
    seller: sellerOf(order, merchant),
    buyer: buyerOf(order),
    lines,
    discount: order.discountAmount === 0 ? null : { name: discount?.name ?? '', amount: order.discountAmount },
    netAmount: order.netAmount,
    tax: order.tax,
    taxAmount: order.taxAmount,
    totalAmount,
    ...(order.appliedBalanceAmount !== 0 && { balanceAmount: order.appliedBalanceAmount }),
    card: cardOf(payment?.methodMetadata),
    isTest: order.isTest,
  }
}

/** Whether a unit costs whole minor units, which a document can show. */
const isWhole = (unitAmount: string | null): boolean => unitAmount !== null && /^-?\d+$/.test(unitAmount)

/** The seller as recorded at the sale, with the legal details of today. */
function sellerOf(order: OrderRow, merchant: MerchantRow | undefined): DocumentContent['seller'] {
  const { name, email, website } = order.snapshot.seller
  const { legalName, address, taxId, documentNote } = storedTaxSettings(merchant)
  return { name, email, website, legalName, address, taxId, note: documentNote ?? null }
}

/**
 * To whom the document is made out. With an address that the buyer only typed, it shows only what was typed: the
 * document goes to that address, and to every holder of the link.
 */
function buyerOf({ snapshot: { customer }, ...order }: OrderRow): DocumentContent['buyer'] {
  const known = order.isBuyerKnown ? customer : undefined
  return {
    name: order.billingName,
    address: order.billingAddress,
    taxId: order.buyerTaxId ?? known?.taxId?.[0] ?? null,
    email: order.buyerEmail ?? known?.email ?? null,
  }
}

function cardOf(methodMetadata: Selectable<Tables['payment']>['methodMetadata'] | undefined): DocumentContent['card'] {
  if (!methodMetadata?.brand || !methodMetadata.last4) return null
  return { brand: methodMetadata.brand, lastFour: methodMetadata.last4 }
}

function newDocument({ organizationId, id: orderId }: OrderRow, content: DocumentContent): DocumentRow {
  const { kind, number, locale, issuedAt } = content
  return {
    id: newUuid(),
    organizationId,
    orderId,
    refundId: null,
    kind,
    number,
    locale,
    content: JSON.stringify(content),
    createdAt: new Date(issuedAt),
  }
}

/** The content of an issued document. */
export const contentIn = (row: Pick<DocumentRow, 'content'>): DocumentContent => JSON.parse(row.content) // written by `newDocument`

/** A document for a mail: its names and its content. */
export type Issued = { readonly id: Id<'document'>; readonly content: DocumentContent }
