import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { column, type ListRequest, type Page, readPage } from '../list.repository.ts'

export type FileRow = Selectable<Tables['file']>

const present = (db: Db) => db.selectFrom('file').selectAll().where('deletedAt', 'is', null)

/** A file of one organization only, and not a removed one. */
export const findFile = (db: Db, organizationId: string, id: string): Promise<FileRow | undefined> =>
  present(db).where('organizationId', '=', organizationId).where('id', '=', id).executeTakeFirst()

/** A file of whatever organization: for whoever knows the address of one of its parts. */
export const findFileById = (db: Db, id: string): Promise<FileRow | undefined> =>
  present(db).where('id', '=', id).executeTakeFirst()

/** A file, removed or not. */
export const findAnyFile = (db: Db, id: string): Promise<FileRow | undefined> =>
  db.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst()

/** All files of an organization that have not been removed, finished or not. */
export async function listFileIds(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('file')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Those of some files that can be shown with a product, locked: none of them is removed meanwhile. In the order of their ids. */
export const lockProductMedias = (tx: Tx, organizationId: string, ids: readonly string[]): Promise<FileRow[]> =>
  present(tx)
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .where('service', '=', 'product_media')
    .where('isUploaded', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()

const columns = { created_at: column('file.createdAt', 'time') }

/** What has been uploaded; some of it, by ids, or all. */
export function listFileRows(
  db: Db,
  organizationId: string,
  request: ListRequest,
  ids: readonly string[] | undefined,
): Promise<Page<FileRow>> {
  let query = present(db).where('organizationId', '=', organizationId).where('isUploaded', '=', true)
  if (ids) query = query.where('id', 'in', ids)
  return readPage(query, request, { columns, id: 'file.id' })
}

/** Of an organization's files how many there are, how many of them were announced and never sent, and what all of them take. */
export async function sumFiles(
  db: Db,
  organizationId: string,
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
    sums.size += Number(room) // sums are texts on PostgreSQL, where they may be larger than a number
    if (!isUploaded) sums.unfinished += Number(count)
  }
  return sums
}

export async function insertFile(tx: Tx, file: Insertable<Tables['file']>): Promise<FileRow> {
  return tx.insertInto('file').values(file).returningAll().executeTakeFirstOrThrow()
}

/** Changes a file that is there; nothing where it is not. */
export const updateFileRow = (
  tx: Tx,
  organizationId: string,
  id: string,
  change: Updateable<Tables['file']>,
): Promise<FileRow | undefined> =>
  tx
    .updateTable('file')
    .set(change)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

type Digests = Pick<FileRow, 'checksumEtag' | 'checksumSha256Base64' | 'checksumSha256Hex'>

/** Says that a file is there as a whole: once, and not of one that was removed meanwhile. */
export const markUploaded = (tx: Tx, id: string, digests: Digests, now: Date): Promise<FileRow | undefined> =>
  tx
    .updateTable('file')
    .set({ ...digests, isUploaded: true, lastModifiedAt: now, modifiedAt: now })
    .where('id', '=', id)
    .where('isUploaded', '=', false)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Gives up a file whose parts never came; false where it is there, or was removed before. */
export async function markAbandoned(tx: Tx, id: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('file')
    .set({ deletedAt: now })
    .where('id', '=', id)
    .where('isUploaded', '=', false)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes a file out of every product. */
export async function detachFile(tx: Tx, fileId: string): Promise<void> {
  await tx.deleteFrom('productMedia').where('fileId', '=', fileId).execute()
}

/** Public addresses move with the installation. */
export async function setPublicOrigin(tx: Tx, publicOrigin: string): Promise<void> {
  await tx.updateTable('file').set({ publicOrigin }).where('publicOrigin', '<>', publicOrigin).execute()
}
