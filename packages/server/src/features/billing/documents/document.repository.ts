import type { Insertable, Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { prepareInsert, prepareInsertReturning } from '../../../foundation/db/prepared.ts'
import type { Tables } from '../../../foundation/db/tables.ts'

export type DocumentRow = Selectable<Tables['document']>

/** Inserts documents that were not issued before; of two concurrent inserts the first one wins. */
export const insertDocuments = (tx: Tx, documents: readonly Insertable<Tables['document']>[]): Promise<DocumentRow[]> =>
  insertRows(tx, ...documents)

const insertRows = prepareInsertReturning('document', { isOnce: true })

/** Inserts the first documents of an order that this transaction has posted or locked. */
export async function insertFirstDocuments(tx: Tx, rows: readonly DocumentRow[]): Promise<void> {
  await insertFirst(tx, ...rows)
}

const insertFirst = prepareInsert('document')

const documents = (db: Db) => db.selectFrom('document').selectAll()

/** An order's invoice or receipt. */
export const findOrderDocument = (db: Db, orderId: Id<'order'>, kind: DocumentRow['kind']) =>
  documents(db).where('orderId', '=', orderId).where('kind', '=', kind).where('refundId', 'is', null).executeTakeFirst()

export const findCreditNote = (db: Db, refundId: Id<'refund'>): Promise<DocumentRow | undefined> =>
  documents(db).where('refundId', '=', refundId).where('kind', '=', 'credit_note').executeTakeFirst()

/** The valid credit notes of an order: those whose money has not come back. */
export const listValidCreditNotes = (db: Db, orderId: Id<'order'>): Promise<DocumentRow[]> =>
  db
    .selectFrom('document')
    .innerJoin('refund', 'refund.id', 'document.refundId')
    .selectAll('document')
    .where('document.orderId', '=', orderId)
    .where('document.kind', '=', 'credit_note')
    .where('refund.status', '=', 'succeeded')
    .execute()

/** When credit notes became void, by refund id: those whose money has come back. */
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

/** The documents of an order, in order of issue. */
export const listOrderDocumentRows = (
  db: Db,
  organizationId: Id<'organization'>,
  orderId: Id<'order'>,
): Promise<DocumentRow[]> =>
  documents(db)
    .where('orderId', '=', orderId)
    .where('organizationId', '=', organizationId)
    .orderBy('createdAt')
    .orderBy('kind')
    .orderBy('id')
    .execute()

/** A document of any organization: the caller proves its right to read it by the link. */
export const findDocumentById = (db: Db, id: Id<'document'>): Promise<DocumentRow | undefined> =>
  documents(db).where('id', '=', id).executeTakeFirst()

export const findDocumentsById = (db: Db, ids: readonly Id<'document'>[]): Promise<DocumentRow[]> =>
  documents(db).where('id', 'in', ids).execute()
