import type { BillingAnswer, OrderDocument } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import type { MailAttachment } from '../../../foundation/mail/mail.jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { checkedAddress } from '../customer/address.ts'
import { emitBilling } from '../events.ts'
import { inBody, invalid } from '../invalid.ts'
import { changeBillingDetails, findOrder, markInvoiced, type OrderRow } from '../order/order.repository.ts'
import { readOrder } from '../order/order.service.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import type { Seller } from '../seller/seller.service.ts'
import {
  type DocumentRow,
  findDocumentById,
  findDocumentsById,
  findOrderDocument,
  findVoided,
  listOrderDocumentRows,
} from './document.repository.ts'
import { documentUrl, isDocumentLink } from './document-address.ts'
import { type DocumentContent, fileNameOf } from './drawing/document-content.ts'
import { needsScriptFonts } from './drawing/script-fonts.ts'
import { contentIn, issueInvoiceLater, issueLater, missingForInvoice } from './issue.service.ts'

/** A temporary link to an order's invoice. Issues the invoice first where that is possible and still to do. */
export const getOrderInvoice: BillingHandler<'getOrderInvoice'> = async ({ ctx, seller, params: { id: orderId } }) => {
  const { id } = await invoiceOf(ctx, seller, orderId)
  return { url: documentUrl(ctx, id) }
}

/** Issues an order's invoice; an issued invoice never changes. */
export const createOrderInvoice: BillingHandler<'createOrderInvoice'> = async ({ ctx, seller, params }) => {
  const { id: orderId } = params
  await invoiceOf(ctx, seller, orderId)
  return {}
}

/** Of two concurrent requests one marks the order, and the other finds the invoice that the first issued. */
async function invoiceOf(ctx: Context, seller: Seller, orderId: Id<'order'>): Promise<DocumentRow> {
  const { organizationId, actorId } = seller
  const known = await findOrder(ctx.db, organizationId, orderId)
  // One that is collected by invoice has it before it is paid.
  if (known && known.invoiceIssuedAt !== null)
    return proven(await findOrderDocument(ctx.db, orderId, 'invoice'), 'an issued document is never deleted')
  await requirePaid(ctx, seller, orderId)
  return ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const marked = await markInvoiced(tx, organizationId, orderId, now)
    if (!marked) return proven(await findOrderDocument(tx, orderId, 'invoice'), 'an issued document is never deleted')
    const issues = missingForInvoice(marked)
    if (issues.length > 0) throw invalid(...issues)
    const issued = await issueInvoiceLater(ctx, tx, marked)
    const invoiced = proven(await findOrder(tx, organizationId, orderId), 'orders are never deleted')
    await emitBilling(tx, now, { organizationId, actorId }, 'order.updated', await readOrder(tx, invoiced))
    return issued
  })
}

/** A temporary link to an order's receipt. */
export const getOrderReceipt: BillingHandler<'getOrderReceipt'> = async ({ ctx, seller, params: { id: orderId } }) => {
  const order = await requirePaid(ctx, seller, orderId)
  const issued =
    (await findOrderDocument(ctx.db, orderId, 'receipt')) ??
    (await ctx.transaction((tx) => issueLater(ctx, tx, order, 'receipt')))
  return { url: documentUrl(ctx, issued.id) }
}

export const listOrderDocuments: BillingHandler<'listOrderDocuments'> = ({ ctx, seller, params: { id } }) =>
  documentsOfOrder(ctx, seller, id)

/** Every document issued for an order, with temporary links. */
export async function documentsOfOrder(
  ctx: Context,
  { organizationId }: Seller,
  orderId: Id<'order'>,
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
  kind: row.kind,
  number: row.number,
  locale: row.locale,
  refundId: row.refundId,
  issuedAt: row.createdAt.toISOString(),
  voidedAt: voidedAt?.toISOString() ?? null,
  lacksFonts: lacksFonts(ctx, contentIn(row)),
  url: documentUrl(ctx, row.id),
})

async function requirePaid(ctx: Context, { organizationId }: Seller, orderId: Id<'order'>): Promise<OrderRow> {
  const order = await findOrder(ctx.db, organizationId, orderId)
  if (!order) throw new TollgateError('RESOURCE_NOT_FOUND')
  if (order.paidAt === null)
    throw invalid({ loc: ['path', 'id'], msg: 'The order has not been paid.', type: 'order_not_paid' })
  return order
}

/** Changes to whom an order's invoice is made out. An issued invoice never changes (ORD-7). */
export const updateOrder: BillingHandler<'updateOrder'> = async ({ ctx, seller, params: { id }, body }) => {
  const { billingName, billingAddress } = body
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
          ...(billingAddress !== undefined && { billingAddress: checked ? checked.address : null }),
          modifiedAt: now,
        })
    if (!changed) throw invalid(...tooLate({ billingName, billingAddress }))
    const order = await readOrder(tx, changed)
    if (isChange) await emitBilling(tx, now, { organizationId, actorId }, 'order.updated', order)
    return order
  })
}

/** Names the body's fields in the errors. */
const tooLate = (given: { readonly billingName: unknown; readonly billingAddress: unknown }) =>
  [
    ...(given.billingName !== undefined ? ['billing_name'] : []),
    ...(given.billingAddress !== undefined ? ['billing_address'] : []),
  ].map((field) => inBody(field, 'The invoice of the order has been issued and cannot change.', 'invoice_issued'))

/** A document by its link, drawn; undefined if the link is forged or expired. */
export async function readDocument(
  ctx: Context,
  id: Id<'document'>,
  token: string,
): Promise<{ readonly name: string; readonly pdf: Buffer<ArrayBuffer> } | undefined> {
  // Checks the link first, so that probing does not reveal which documents exist.
  if (!isDocumentLink(ctx, id, token)) return undefined
  const row = await findDocumentById(ctx.db, id)
  return row && { name: fileNameOf(row), pdf: await draw(ctx, row) }
}

/** Whether a document has letters of scripts for which the optional package is missing. */
const lacksFonts = (ctx: Context, content: DocumentContent): boolean =>
  !ctx.press.hasScriptFonts && needsScriptFonts(content)

/** A document's content, and whether the document has become void. */
async function draw(ctx: Context, row: DocumentRow): Promise<Buffer<ArrayBuffer>> {
  const voidedAt = (await findVoided(ctx.db, [row.refundId])).get(row.refundId ?? '')
  const content = contentIn(row)
  if (lacksFonts(ctx, content))
    ctx.log.warn(
      { document: row.id },
      'A document has letters that only @tollgate/documents-fonts draws; they appear as Unicode numbers until it is installed',
    )
  return ctx.press.draw({ ...content, voidedAt: voidedAt?.toISOString() })
}

/** Documents as mail attachments, drawn when the mail is sent. */
export async function attachDocuments(ctx: Context, ids: readonly Id<'document'>[]): Promise<MailAttachment[]> {
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
