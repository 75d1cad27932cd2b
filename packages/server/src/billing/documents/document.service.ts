import type { BillingAnswer, Order, OrderDocument, ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import { toJson } from '../../db/tables.ts'
import { TollgateError } from '../../error.ts'
import type { MailAttachment } from '../../mail/mail.jobs.ts'
import { checkedAddress } from '../customer/address.ts'
import { emitBilling } from '../events.ts'
import { inBody, invalid } from '../invalid.ts'
import { findOrder, type OrderRow } from '../order/order.repository.ts'
import { readOrder } from '../order/order.service.ts'
import type { Seller } from '../seller/seller.service.ts'
import {
  changeBillingDetails,
  type DocumentRow,
  findDocumentById,
  findDocumentsById,
  findOrderDocument,
  findVoided,
  listOrderDocumentRows,
  markInvoiced,
} from './document.repository.ts'
import { documentUrl, isDocumentLink } from './document-address.ts'
import { fileNameOf } from './document-content.ts'
import { contentIn, issueLater, missingForInvoice } from './issue.service.ts'

type Link = BillingAnswer<'getOrderInvoice'>

/** Where an order's invoice is read, for a while. Issued now where that has not been done, and can be. */
export async function getOrderInvoice(ctx: Context, seller: Seller, orderId: string): Promise<Link> {
  const { id } = await invoiceOf(ctx, seller, orderId)
  return { url: documentUrl(ctx, id) }
}

/** Issues an order's invoice; one that was issued stays as it is. */
export async function createOrderInvoice(
  ctx: Context,
  seller: Seller,
  orderId: string,
): Promise<BillingAnswer<'createOrderInvoice'>> {
  await invoiceOf(ctx, seller, orderId)
  return {}
}

/** Of two at the same moment one marks the order, and the other one finds what it has issued. */
async function invoiceOf(ctx: Context, seller: Seller, orderId: string): Promise<DocumentRow> {
  const { organizationId, actorId } = seller
  const order = await requirePaid(ctx, seller, orderId)
  if (order.invoiceIssuedAt !== null) return (await findOrderDocument(ctx.db, orderId, 'invoice'))!
  return ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const marked = await markInvoiced(tx, organizationId, orderId, now)
    if (!marked) return (await findOrderDocument(tx, orderId, 'invoice'))!
    const issues = missingForInvoice(marked)
    if (issues.length > 0) throw invalid(...issues)
    const issued = await issueLater(ctx, tx, marked, 'invoice')
    await emitBilling(tx, now, { organizationId, actorId }, 'order.updated', await readOrder(tx, marked))
    return issued
  })
}

/** Where an order's receipt is read, for a while. */
export async function getOrderReceipt(ctx: Context, seller: Seller, orderId: string): Promise<Link> {
  const order = await requirePaid(ctx, seller, orderId)
  const issued =
    (await findOrderDocument(ctx.db, orderId, 'receipt')) ??
    (await ctx.transaction((tx) => issueLater(ctx, tx, order, 'receipt')))
  return { url: documentUrl(ctx, issued.id) }
}

/** Everything that was issued for an order, with where it is read, for a while. */
export async function listOrderDocuments(
  ctx: Context,
  { organizationId }: Seller,
  orderId: string,
): Promise<BillingAnswer<'listOrderDocuments'>> {
  if (!(await findOrder(ctx.db, organizationId, orderId))) throw new TollgateError('RESOURCE_NOT_FOUND')
  const rows = await listOrderDocumentRows(ctx.db, organizationId, orderId)
  const voided = await findVoided(
    ctx.db,
    rows.map(({ refundId }) => refundId),
  )
  return { items: rows.map((row) => toOrderDocument(ctx, row, voided.get(row.refundId ?? ''))) }
}

const toOrderDocument = (ctx: Context, row: DocumentRow, voidedAt: Date | undefined): OrderDocument => ({
  id: row.id,
  kind: row.kind as OrderDocument['kind'], // one of ours
  number: row.number,
  locale: row.locale,
  refundId: row.refundId,
  issuedAt: row.createdAt.toISOString(),
  voidedAt: voidedAt?.toISOString() ?? null,
  url: documentUrl(ctx, row.id),
})

async function requirePaid(ctx: Context, { organizationId }: Seller, orderId: string): Promise<OrderRow> {
  const order = await findOrder(ctx.db, organizationId, orderId)
  if (!order) throw new TollgateError('RESOURCE_NOT_FOUND')
  if (order.paidAt === null)
    throw invalid({ loc: ['path', 'id'], msg: 'The order has not been paid.', type: 'order_not_paid' })
  return order
}

/** Changes whom an order's invoice will be made out to. Once it was issued nothing of it changes any more (ORD-7). */
export async function updateOrder(
  ctx: Context,
  seller: Seller,
  id: string,
  { billingName, billingAddress }: ParsedBillingBody<'updateOrder'>,
): Promise<Order> {
  const { organizationId, actorId } = seller
  const checked = billingAddress ? checkedAddress(billingAddress, 'billing_address') : undefined
  if (checked && checked.issues.length > 0) throw invalid(...checked.issues)
  return ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const isChange = billingName !== undefined || billingAddress !== undefined
    const found = await findOrder(tx, organizationId, id)
    if (!found) throw new TollgateError('RESOURCE_NOT_FOUND')
    const changed = !isChange
      ? found
      : await changeBillingDetails(tx, organizationId, id, {
          ...(billingName !== undefined && { billingName }),
          ...(billingAddress !== undefined && { billingAddress: checked ? toJson(checked.address) : null }),
          modifiedAt: now,
        })
    if (!changed) throw invalid(...tooLate({ billingName, billingAddress }))
    const order = await readOrder(tx, changed)
    if (isChange) await emitBilling(tx, now, { organizationId, actorId }, 'order.updated', order)
    return order
  })
}

/** Where it says so beside the fields that were given. */
const tooLate = (given: { readonly billingName: unknown; readonly billingAddress: unknown }) =>
  [
    ...(given.billingName !== undefined ? ['billing_name'] : []),
    ...(given.billingAddress !== undefined ? ['billing_address'] : []),
  ].map((field) => inBody(field, 'The invoice of the order was issued, and stays as it is.', 'invoice_issued'))

/** A document by its link, drawn; nothing where the link is none, or is over. */
export async function readDocument(
  ctx: Context,
  id: string,
  token: string,
): Promise<{ readonly name: string; readonly pdf: Buffer<ArrayBuffer> } | undefined> {
  // What the link says is looked at first: nobody finds out which documents there are.
  if (!isDocumentLink(ctx, id, token)) return undefined
  const row = await findDocumentById(ctx.db, id)
  return row && { name: fileNameOf(row), pdf: await draw(ctx, row) }
}

/** What a document was issued with, and whether it is void since. */
async function draw(ctx: Context, row: DocumentRow): Promise<Buffer<ArrayBuffer>> {
  const voidedAt = (await findVoided(ctx.db, [row.refundId])).get(row.refundId ?? '')
  return ctx.press.draw({ ...contentIn(row), voidedAt: voidedAt?.toISOString() })
}

/** Documents as they go with a mail, drawn when it is sent. */
export async function attachDocuments(ctx: Context, ids: readonly string[]): Promise<MailAttachment[]> {
  const rows = new Map((await findDocumentsById(ctx.db, ids)).map((row) => [row.id, row]))
  return Promise.all(
    ids
      .flatMap((id) => rows.get(id) ?? [])
      .map(async (row) => ({
        name: fileNameOf(row),
        type: 'application/pdf',
        content: await draw(ctx, row),
      })),
  )
}
