import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database, Db, Lists, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { column, contains, type ListRequest, type Page, readPage } from '../list.repository.ts'

export type CustomFieldRow = Selectable<Tables['customField']>

/** A field of one organization only, and not a removed one. */
const ofOrganization = (db: Db, organizationId: string) =>
  db.selectFrom('customField').selectAll().where('organizationId', '=', organizationId).where('deletedAt', 'is', null)

export const findCustomField = (db: Db, organizationId: string, id: string): Promise<CustomFieldRow | undefined> =>
  ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst()

export const lockCustomField = (tx: Tx, organizationId: string, id: string): Promise<CustomFieldRow | undefined> =>
  ofOrganization(tx, organizationId).where('id', '=', id).forUpdate().executeTakeFirst()

/** Those of some fields that there are, locked: none of them is removed meanwhile. In the order of their ids, always. */
export const lockCustomFields = (tx: Tx, organizationId: string, ids: readonly string[]): Promise<CustomFieldRow[]> =>
  ofOrganization(tx, organizationId).where('id', 'in', ids).orderBy('id').forUpdate().execute()

export type CustomFieldFilters = {
  readonly query?: string | undefined
  readonly type?: readonly string[] | undefined
}

const columns = {
  created_at: column('customField.createdAt', 'time'),
  slug: column('customField.slug', 'text'),
  name: column('customField.name', 'text'),
  type: column('customField.type', 'text'),
}

/** Fields whose name or slug holds the text. */
export function listCustomFieldRows(
  lists: Lists,
  organizationId: string,
  request: ListRequest,
  { query: text, type }: CustomFieldFilters,
): Promise<Page<CustomFieldRow>> {
  let query = ofOrganization(lists.db, organizationId)
  if (text)
    query = query.where((is) =>
      is.or([contains(lists, 'customField.name', text), contains(lists, 'customField.slug', text)]),
    )
  if (type) query = query.where('type', 'in', type)
  return readPage(query, request, { columns, id: 'customField.id' })
}

/** Nothing where a field of the organization has the slug: the index decides, also between two at once. */
export const insertCustomField = (
  tx: Tx,
  field: Insertable<Tables['customField']>,
): Promise<CustomFieldRow | undefined> =>
  tx
    .insertInto('customField')
    .values(field)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const updateCustomFieldRow = (
  tx: Tx,
  id: string,
  change: Updateable<Tables['customField']>,
): Promise<CustomFieldRow> =>
  tx.updateTable('customField').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Marks a field as removed; false where there is none. */
export async function markCustomFieldDeleted(tx: Tx, organizationId: string, id: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('customField')
    .set({ deletedAt: now, modifiedAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes a field out of every product. */
export async function detachCustomField(tx: Tx, customFieldId: string): Promise<void> {
  await tx.deleteFrom('productCustomField').where('customFieldId', '=', customFieldId).execute()
}

/** Whether stored answers still have this slug of a field that has another one by now. */
export async function isSlugBeingLeft(tx: Tx, organizationId: string, slug: string): Promise<boolean> {
  const row = await tx
    .selectFrom('customField')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('renamedFrom', '=', slug)
    .executeTakeFirst()
  return row !== undefined
}

/** The old and the new slug of a field that is being renamed, locked; removed or not. */
export const lockRename = (tx: Tx, id: string) =>
  tx
    .selectFrom('customField')
    .select(['organizationId', 'renamedFrom', 'slug'])
    .where('id', '=', id)
    .where('renamedFrom', 'is not', null)
    .forUpdate()
    .executeTakeFirst()

export async function finishRename(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('customField').set({ renamedFrom: null }).where('id', '=', id).execute()
}

/** Where answers are kept, in the order in which they are copied from one to the other. */
const answerTables = ['checkout', 'subscription', 'order'] as const

/** Rows of one table behind the one that was last looked at. */
export type RenamePosition = {
  readonly table: (typeof answerTables)[number]
  readonly after?: { readonly createdAt: Date; readonly id: string }
}

export const renameStart: RenamePosition = { table: answerTables[0] }

type SlugRename = { readonly organizationId: string; readonly from: string; readonly to: string }

/**
 * Gives the answers to a field their new key, in so many rows of a table by the index of their creation. Answers from where
 * to go on; nothing when every table has been gone through.
 */
export async function renameAnswers(
  tx: Tx,
  { dialect }: Pick<Database, 'dialect'>,
  { organizationId, from, to }: SlugRename,
  { table, after }: RenamePosition,
  batch: number,
): Promise<RenamePosition | undefined> {
  // Rows by which the range is bounded: both ends are in the index, so a batch costs the same however deep it is.
  const name = sql.table(table)
  const own = sql`organization_id = ${organizationId}`
  const behind = after ? sql`and (created_at, id) > (${after.createdAt}, ${after.id})` : sql``
  const { rows } = await sql<{ createdAt: Date; id: string }>`
    select created_at, id from ${name} where ${own} ${behind} order by created_at, id limit 1 offset ${batch - 1}
  `.execute(tx)
  const [last] = rows
  const upTo = last ? sql`and (created_at, id) <= (${last.createdAt}, ${last.id})` : sql``
  const path = { from: `$."${from}"`, to: `$."${to}"` }
  const [renamed, has] =
    dialect === 'postgres'
      ? [
          sql`(custom_field_data - ${from}::text)
            || jsonb_build_object(${to}::text, custom_field_data -> ${from}::text)`,
          sql`jsonb_exists(custom_field_data, ${from}::text)`,
        ]
      : [
          sql`json_remove(
            json_set(custom_field_data, ${path.to}, json(custom_field_data -> ${path.from})), ${path.from})`,
          sql`custom_field_data -> ${path.from} is not null`,
        ]
  await sql`update ${name} set custom_field_data = ${renamed} where ${own} ${behind} ${upTo} and ${has}`.execute(tx)
  if (last) return { table, after: last }
  const next = answerTables[answerTables.indexOf(table) + 1]
  return next && { table: next }
}
