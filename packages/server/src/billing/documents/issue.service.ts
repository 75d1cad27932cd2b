import type { Address, SaleTax } from '@tollgate/contract/billing-types'
import type { Selectable } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { InputIssue } from '../../error.ts'
import { newUuid } from '../../ids.ts'
import type { CheckoutRow } from '../checkout/checkout.repository.ts'
import { inBody } from '../invalid.ts'
import { findCheckoutById } from '../order/confirm.repository.ts'
import { receiptNumber } from '../order/invoice-number.ts'
import { findOrder, itemsOfOrders, type OrderItemRow, type OrderRow } from '../order/order.repository.ts'
import type { OrderSnapshot } from '../order/order-view.ts'
import { anchorDayOf, periodEnd, type RecurringInterval } from '../order/period.ts'
import { mailCreditNote, mailVoidCreditNote } from '../order/receipt-mail.ts'
import { findMerchant, type MerchantRow } from '../seller/seller.repository.ts'
import { storedTaxSettings } from '../tax/tax-settings.ts'
import { shareOfTax } from './credit-note-tax.ts'
import {
  type DocumentRow,
  findCreditNote,
  findOrderDocument,
  findPaidBy,
  insertDocuments,
  listValidCreditNotes,
} from './document.repository.ts'
import type { DocumentContent, DocumentLine, DocumentLocale } from './document-content.ts'

/**
 * Where documents are issued: each in the transaction that is its cause, with everything that stands on it. What changes
 * afterwards, of the seller, the buyer or the order, does not reach it.
 */

/** An order and what belongs to it. */
type Sold = {
  readonly order: OrderRow
  readonly items: readonly OrderItemRow[]
  readonly checkout: CheckoutRow | undefined
}

/** What an order lacks to be invoiced: somebody to make it out to, and where they are (ORD-7). */
export function missingForInvoice({
  billingName,
  billingAddress,
}: Pick<OrderRow, 'billingName'> & { readonly billingAddress: unknown }): InputIssue[] {
  const name = inBody('billing_name', 'The order has no billing name, which its invoice needs.', 'missing')
  const address = inBody('billing_address', 'The order has no billing address, which its invoice needs.', 'missing')
  return [...(billingName === null ? [name] : []), ...(billingAddress === null ? [address] : [])]
}

/** Issues what a purchase is proven by: the receipt, and the invoice where the order is marked as invoiced. */
export async function issueAtSale(ctx: Context, tx: Tx, sold: Sold): Promise<DocumentRow[]> {
  const content = await contentOf(ctx, tx, sold)
  const invoice = sold.order.invoiceIssuedAt === null ? [] : [newDocument(sold.order, invoiceOf(content))]
  return insertDocuments(tx, [...invoice, newDocument(sold.order, receiptOf(content))])
}

/** Issues one of the two for an order that has none yet, such as one that was bought before there were documents. */
export async function issueLater(
  ctx: Context,
  tx: Tx,
  order: OrderRow,
  kind: 'invoice' | 'receipt',
): Promise<DocumentRow> {
  const content = await contentOf(ctx, tx, await readSold(tx, order))
  const made = kind === 'invoice' ? invoiceOf(content) : receiptOf(content)
  const [issued] = await insertDocuments(tx, [newDocument(order, made)])
  // At the same moment by another request.
  return issued ?? (await findOrderDocument(tx, order.id, kind))!
}

type RefundRow = Selectable<Tables['refund']>

/**
 * Issues the credit note of a refund that has succeeded and has its number, and mails it: to whom the invoice was made out,
 * of the tax that was on it. A second time it changes nothing. The refund's row is held.
 */
export async function issueCreditNote(ctx: Context, tx: Tx, refund: RefundRow): Promise<void> {
  const order = await findOrder(tx, refund.organizationId, refund.orderId)
  if (!order || refund.creditNoteNumber === null)
    throw new Error(`refund ${refund.id} has no order or no number for its credit note`)
  const sold = await readSold(tx, order)
  const invoice = await findOrderDocument(tx, order.id, 'invoice')
  const known = invoice ? contentIn(invoice) : await contentOf(ctx, tx, sold)
  const { product } = order.snapshot as OrderSnapshot // written by `fulfil`
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
  if (issued) await mailCreditNote(ctx, tx, sold.checkout, { id: issued.id, content, paidAmount: order.totalAmount })
}

/** Mails that a credit note is void: the money that it says was given back has come back to the seller (REF-5). */
export async function mailVoided(ctx: Context, tx: Tx, refund: RefundRow): Promise<void> {
  const order = await findOrder(tx, refund.organizationId, refund.orderId)
  const note = await findCreditNote(tx, refund.id)
  if (!order || !note) return
  const { checkout } = await readSold(tx, order)
  await mailVoidCreditNote(ctx, tx, checkout, { id: note.id, content: contentIn(note), paidAmount: order.totalAmount })
}

/** What the credit notes of an order say that count: those whose money has not come back. */
async function validCreditNotes(db: Db, orderId: string): Promise<DocumentContent[]> {
  const rows = await listValidCreditNotes(db, orderId)
  return rows.map(contentIn)
}

async function readSold(db: Db, order: OrderRow): Promise<Sold> {
  const checkout = order.checkoutId === null ? undefined : await findCheckoutById(db, order.checkoutId)
  return { order, items: (await itemsOfOrders(db, [order.id])).get(order.id)!, checkout }
}

const invoiceOf = (content: DocumentContent): DocumentContent => ({
  ...content,
  kind: 'invoice',
  number: content.invoiceNumber,
})

const receiptOf = (content: DocumentContent): DocumentContent => ({
  ...content,
  kind: 'receipt',
  number: receiptNumber(content.invoiceNumber),
})

/** What stands on every document of an order, of now. */
async function contentOf(ctx: Context, db: Db, { order, items, checkout }: Sold): Promise<DocumentContent> {
  const { organizationId, checkoutId, totalAmount } = order
  const merchant = await findMerchant(db, organizationId)
  const paidBy = checkoutId === null || totalAmount <= 0 ? undefined : await findPaidBy(db, organizationId, checkoutId)
  const { discount } = order.snapshot as OrderSnapshot // written by `fulfil`
  const paidAt = (order.paidAt ?? order.createdAt).toISOString()
  const period = periodOf(order)
  return {
    kind: 'invoice',
    number: order.invoiceNumber,
    locale: (checkout?.buyerLocale ?? 'en') as DocumentLocale, // written from a caller's
    issuedAt: ctx.clock.now().toISOString(),
    invoiceNumber: order.invoiceNumber,
    paidAt,
    ...(period === undefined && { suppliedAt: paidAt }),
    currency: order.currency,
    seller: sellerOf(order, merchant),
    buyer: buyerOf(order, checkout),
    lines: items.map(({ label, amount }) => ({ label, amount, ...(period && { period }) })),
    discount: order.discountAmount === 0 ? null : { name: discount?.name ?? '', amount: order.discountAmount },
    netAmount: order.netAmount,
    tax: order.tax as SaleTax | null, // written by ourselves
    taxAmount: order.taxAmount,
    totalAmount,
    card: cardOf(paidBy?.methodMetadata),
    isTest: paidBy?.isTest ?? (checkout && ctx.payments.byName(checkout.processor)?.isTest) ?? false,
  }
}

/** For which time the price of a subscription was paid: its period that begins with the order. */
function periodOf({ billingReason, createdAt, snapshot }: OrderRow): DocumentLine['period'] {
  const { recurringInterval } = (snapshot as OrderSnapshot).product // written by `fulfil`
  if (billingReason === 'purchase' || recurringInterval === null) return undefined
  const interval = recurringInterval as RecurringInterval // of what is sold
  const end = periodEnd(createdAt, interval, anchorDayOf(createdAt))
  return { start: createdAt.toISOString(), end: end.toISOString() }
}

/** Who sold it, as they were; and who they are at law, as they say now. */
function sellerOf(order: OrderRow, merchant: MerchantRow | undefined): DocumentContent['seller'] {
  const { name, email, website } = (order.snapshot as OrderSnapshot).seller // written by `fulfil`
  const { legalName, address, taxId, documentNote } = storedTaxSettings(merchant)
  return { name, email, website, legalName, address, taxId, note: documentNote ?? null }
}

/**
 * Whom it is made out to. Of a customer whose address somebody has only typed it says nothing but what was typed: it is sent
 * to that address, and shown to whoever holds the link.
 */
function buyerOf(order: OrderRow, checkout: CheckoutRow | undefined): DocumentContent['buyer'] {
  const { customer } = order.snapshot as OrderSnapshot // written by `fulfil`
  const known = checkout === undefined || checkout.isBuyerKnown ? customer : undefined
  return {
    name: order.billingName,
    address: order.billingAddress as Address | null, // written from a checked address
    taxId: checkout?.customerTaxId ?? known?.taxId?.[0] ?? null,
    email: checkout?.customerEmail ?? known?.email ?? null,
  }
}

function cardOf(methodMetadata: unknown): DocumentContent['card'] {
  const { brand, last4 } = (methodMetadata ?? {}) as { brand?: string; last4?: string } // written by `settlePayment`
  return brand && last4 ? { brand, lastFour: last4 } : null
}

function newDocument(order: OrderRow, content: DocumentContent) {
  const { kind, number, locale, issuedAt } = content
  const { organizationId, id: orderId } = order
  const createdAt = new Date(issuedAt)
  return { id: newUuid(), organizationId, orderId, kind, number, locale, content: JSON.stringify(content), createdAt }
}

/** What a document was issued with. */
export const contentIn = (row: Pick<DocumentRow, 'content'>): DocumentContent =>
  JSON.parse(row.content) as DocumentContent // written by `newDocument`

/** A document for a mail: what names it, and what stands on it. */
export type Issued = { readonly id: string; readonly content: DocumentContent }
