import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import { hasRow } from '../../../foundation/db/rows.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, type ListRequest, readPage } from '../list.repository.ts'

export type FileRow = Selectable<Tables['file']>

const present = (db: Db) => db.selectFrom('file').selectAll().where('deletedAt', 'is', null)
const ofOrganization = (db: Db, organizationId: Id<'organization'>) =>
  present(db).where('organizationId', '=', organizationId)

/** A file of one organization, unless removed. */
export const findFile = (db: Db, organizationId: Id<'organization'>, id: Id<'file'>) =>
  ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst()

/** A file of any organization, for callers with a signed part URL. */
export const findFileById = (db: Db, id: Id<'file'>) => present(db).where('id', '=', id).executeTakeFirst()

/** A file, removed or not. */
export const findAnyFile = (db: Db, id: Id<'file'>) =>
  db.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks the product pictures that exist, in the order of their ids, so that none is removed meanwhile. */
export const lockProductMedias = (tx: Tx, organizationId: Id<'organization'>, ids: readonly Id<'file'>[]) =>
  lockInOrder(
    tx,
    'file',
    undefined,
    ofOrganization(tx, organizationId)
      .where('id', 'in', ids)
      .where('service', '=', 'product_media')
      .where('isUploaded', '=', true)
      .orderBy('id'),
  ).execute()

const columns = { created_at: column('file.createdAt', 'time') }

/** A page of uploaded files, optionally only the given ids. */
export function listFileRows(
  db: Db,
  organizationId: Id<'organization'>,
  request: ListRequest,
  ids: readonly Id<'file'>[] | undefined,
) {
  let query = ofOrganization(db, organizationId).where('isUploaded', '=', true)
  if (ids) query = query.where('id', 'in', ids)
  return readPage(query, request, { columns, id: 'file.id' })
}

/** Counts an organization's files and unfinished uploads, and sums up their announced bytes. */
export async function sumFiles(
  db: Db,
  organizationId: Id<'organization'>,
): Promise<{ count: number; unfinished: number; size: number }> {
  const rows = await db
    .selectFrom('file')
    .select((all) => ['isUploaded', all.fn.countAll().as('count'), all.fn.sum('size').as('room')])
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .groupBy('isUploaded')
    .execute()
  const sums = { count: 0, unfinished: 0, size: 0 }
  for (const { isUploaded, count, room } of rows) {
    sums.count += Number(count)
    sums.size += Number(room) // PostgreSQL returns sums as text, because they may exceed a number
    if (!isUploaded) sums.unfinished += Number(count)
  }
  return sums
}

export const insertFile = (tx: Tx, file: Insertable<Tables['file']>) =>
  tx.insertInto('file').values(file).returningAll().executeTakeFirstOrThrow()

/** Updates a file; undefined if it does not exist. */
export const updateFileRow = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'file'>,
  change: Updateable<Tables['file']>,
) =>
  tx
    .updateTable('file')
    .set(change)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

type Digests = Pick<FileRow, 'checksumEtag' | 'checksumSha256Base64' | 'checksumSha256Hex'>

/** Marks a file as uploaded; undefined if it already is, or was removed meanwhile. */
export const markUploaded = (tx: Tx, id: Id<'file'>, digests: Digests, now: Date) =>
  tx
    .updateTable('file')
    .set({ ...digests, isUploaded: true, lastModifiedAt: now, modifiedAt: now })
    .where('id', '=', id)
    .where('isUploaded', '=', false)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Gives up an unfinished upload; false if the file is complete or already removed. */
export const markAbandoned = (tx: Tx, id: Id<'file'>, now: Date): Promise<boolean> =>
  hasRow(
    tx
      .updateTable('file')
      .set({ deletedAt: now })
      .where('id', '=', id)
      .where('isUploaded', '=', false)
      .where('deletedAt', 'is', null)
      .returning('id'),
  )

/** Detaches a file from every product. */
export async function detachFile(tx: Tx, fileId: Id<'file'>): Promise<void> {
  await tx.deleteFrom('productMedia').where('fileId', '=', fileId).execute()
}

/** Rewrites public URLs after the installation's address changed. */
export async function setPublicOrigin(tx: Tx, publicOrigin: string): Promise<void> {
  await tx.updateTable('file').set({ publicOrigin }).where('publicOrigin', '<>', publicOrigin).execute()
}
