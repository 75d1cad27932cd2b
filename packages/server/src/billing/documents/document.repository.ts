import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

export type DocumentRow = Selectable<Tables['document']>
export type OrderRow = Selectable<Tables['order']>

/** Those of them that were not issued before; of two at the same moment the first one stands. */
export const insertDocuments = (tx: Tx, documents: readonly Insertable<Tables['document']>[]): Promise<DocumentRow[]> =>
  tx
    .insertInto('document')
    .values(documents)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute()

/** An order's invoice or receipt. */
export const findOrderDocument = (db: Db, orderId: string, kind: string): Promise<DocumentRow | undefined> =>
  db
    .selectFrom('document')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('kind', '=', kind)
    .where('refundId', 'is', null)
    .executeTakeFirst()

export const findCreditNote = (db: Db, refundId: string): Promise<DocumentRow | undefined> =>
  db
    .selectFrom('document')
    .selectAll()
    .where('refundId', '=', refundId)
    .where('kind', '=', 'credit_note')
    .executeTakeFirst()

/** The credit notes of an order whose money has not come back since. */
export const listValidCreditNotes = (db: Db, orderId: string): Promise<DocumentRow[]> =>
  db
    .selectFrom('document')
    .innerJoin('refund', 'refund.id', 'document.refundId')
    .selectAll('document')
    .where('document.orderId', '=', orderId)
    .where('document.kind', '=', 'credit_note')
    .where('refund.status', '=', 'succeeded')
    .execute()

/** Since when credit notes are void, by the refunds that they are of: those whose money has come back. */
export async function findVoided(db: Db, refundIds: readonly (string | null)[]): Promise<Map<string, Date>> {
  const ids = refundIds.filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('refund')
    .select(['id', 'settledAt', 'createdAt'])
    .where('id', 'in', ids)
    .where('status', 'in', ['failed', 'canceled'])
    .execute()
  return new Map(rows.map(({ id, settledAt, createdAt }) => [id, settledAt ?? createdAt]))
}

/** The documents of an order, in the order in which they were issued. */
export const listOrderDocumentRows = (db: Db, organizationId: string, orderId: string): Promise<DocumentRow[]> =>
  db
    .selectFrom('document')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('organizationId', '=', organizationId)
    .orderBy('createdAt')
    .orderBy('kind')
    .orderBy('id')
    .execute()

/** Whosever it is: for whoever brings the proof that they may read it. */
export const findDocumentById = (db: Db, id: string): Promise<DocumentRow | undefined> =>
  db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirst()

export const findDocumentsById = (db: Db, ids: readonly string[]): Promise<DocumentRow[]> =>
  db.selectFrom('document').selectAll().where('id', 'in', ids).execute()

/** What an order was paid by; nothing where it cost nothing. */
export const findPaidBy = (db: Db, organizationId: string, checkoutId: string) =>
  db
    .selectFrom('payment')
    .select(['methodMetadata', 'isTest'])
    .where('organizationId', '=', organizationId)
    .where('checkoutId', '=', checkoutId)
    .where('status', '=', 'succeeded')
    .executeTakeFirst()

/** An order whose invoice is issued by this; nothing where it was before. Held until the transaction ends. */
export const markInvoiced = (tx: Tx, organizationId: string, id: string, now: Date): Promise<OrderRow | undefined> =>
  tx
    .updateTable('order')
    .set({ invoiceIssuedAt: now, modifiedAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('invoiceIssuedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Changes whom the invoice of an order will be made out to; nothing where it was issued, or there is no such order. */
export const changeBillingDetails = (
  tx: Tx,
  organizationId: string,
  id: string,
  changes: Updateable<Tables['order']>,
): Promise<OrderRow | undefined> =>
  tx
    .updateTable('order')
    .set(changes)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('invoiceIssuedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
