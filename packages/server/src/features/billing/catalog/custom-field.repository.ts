import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database, Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import { hasRow } from '../../../foundation/db/rows.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, contains, type ListFilters, type ListRequest, readPage, whereOneOf } from '../list.repository.ts'

export type CustomFieldRow = Selectable<Tables['customField']>

/** Fields of one organization, without removed ones. */
const ofOrganization = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('customField').selectAll().where('organizationId', '=', organizationId).where('deletedAt', 'is', null)

export const findCustomField = (db: Db, organizationId: Id<'organization'>, id: Id<'customField'>) =>
  ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst()

export const lockCustomField = (tx: Tx, organizationId: Id<'organization'>, id: Id<'customField'>) =>
  lockInOrder(tx, 'customField', id, ofOrganization(tx, organizationId).where('id', '=', id)).executeTakeFirst()

/** Locks the fields that exist, so that none is removed meanwhile; always in the order of their ids. */
export const lockCustomFields = (tx: Tx, organizationId: Id<'organization'>, ids: readonly Id<'customField'>[]) =>
  lockInOrder(
    tx,
    'customField',
    undefined,
    ofOrganization(tx, organizationId).where('id', 'in', ids).orderBy('id'),
  ).execute()

const columns = {
  created_at: column('customField.createdAt', 'time'),
  slug: column('customField.slug', 'text'),
  name: column('customField.name', 'text'),
  type: column('customField.type', 'text'),
}

/** A page of fields whose name or slug contains the text. */
export const listCustomFieldRows = (
  lists: Lists,
  organizationId: Id<'organization'>,
  request: ListRequest,
  filters: ListFilters<'listCustomFields'>,
) => readPage(fittingCustomFields(lists, organizationId, filters), request, { columns, id: 'customField.id' })

/** The matching fields of an organization. */
export function fittingCustomFields(
  lists: Lists,
  organizationId: Id<'organization'>,
  filters: ListFilters<'listCustomFields'>,
) {
  let query = whereOneOf(ofOrganization(lists.db, organizationId), 'customField', filters, ['type'])
  if (filters.query) query = query.where(contains(lists, filters.query, 'customField.name', 'customField.slug'))
  return query
}

/** Returns undefined if the slug is taken: the unique index decides, also between concurrent requests. */
export const insertCustomField = (tx: Tx, field: Insertable<Tables['customField']>) =>
  tx
    .insertInto('customField')
    .values(field)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const updateCustomFieldRow = (tx: Tx, id: Id<'customField'>, change: Updateable<Tables['customField']>) =>
  tx.updateTable('customField').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Marks a field as removed; false if it does not exist. */
export const markCustomFieldDeleted = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'customField'>,
  now: Date,
): Promise<boolean> =>
  hasRow(
    tx
      .updateTable('customField')
      .set({ deletedAt: now, modifiedAt: now })
      .where('organizationId', '=', organizationId)
      .where('id', '=', id)
      .where('deletedAt', 'is', null)
      .returning('id'),
  )

/** Detaches a field from every product. */
export async function detachCustomField(tx: Tx, customFieldId: Id<'customField'>): Promise<void> {
  await tx.deleteFrom('productCustomField').where('customFieldId', '=', customFieldId).execute()
}

/** Whether a rename is still moving answers away from this slug. */
export const isSlugBeingLeft = (tx: Tx, organizationId: Id<'organization'>, slug: string): Promise<boolean> =>
  hasRow(
    tx
      .selectFrom('customField')
      .select('id')
      .where('organizationId', '=', organizationId)
      .where('renamedFrom', '=', slug),
  )

/** Locks a field under rename, removed or not, and returns its old and new slug. */
export const lockRename = (tx: Tx, id: Id<'customField'>) =>
  lockInOrder(
    tx,
    'customField',
    id,
    tx
      .selectFrom('customField')
      .select(['organizationId', 'renamedFrom', 'slug'])
      .where('id', '=', id)
      .where('renamedFrom', 'is not', null),
  ).executeTakeFirst()

export async function finishRename(tx: Tx, id: Id<'customField'>): Promise<void> {
  await tx.updateTable('customField').set({ renamedFrom: null }).where('id', '=', id).execute()
}

/** Tables with answers, in the order in which answers are copied from one to the next. */
const answerTables = ['checkout', 'subscription', 'order'] as const

/** A position in a table: after the last row of the previous batch. */
export type RenamePosition = {
  readonly table: (typeof answerTables)[number]
  readonly after?: { readonly createdAt: Date; readonly id: string }
}

export const renameStart: RenamePosition = { table: answerTables[0] }

type SlugRename = { readonly organizationId: Id<'organization'>; readonly from: string; readonly to: string }

/**
 * Renames the key of a field's answers in one batch of rows, in the order of creation. Returns the next position, or
 * undefined after the last table.
 */
export async function renameAnswers(
  tx: Tx,
  { dialect }: Pick<Database, 'dialect'>,
  { organizationId, from, to }: SlugRename,
  { table, after }: RenamePosition,
  batch: number,
): Promise<RenamePosition | undefined> {
  // Both bounds use the index, so every batch costs the same, however deep it is.
  const own = sql`organization_id = ${organizationId}`
  const behind = after ? sql`and (created_at, id) > (${after.createdAt}, ${after.id})` : sql``
  const last = await tx
    .selectFrom(table)
    .select(['createdAt', 'id'])
    .where(sql<boolean>`${own} ${behind}`)
    .orderBy('createdAt')
    .orderBy('id')
    .offset(batch - 1)
    .limit(1)
    .executeTakeFirst()
  const upTo = last ? sql`and (created_at, id) <= (${last.createdAt}, ${last.id})` : sql``
  const path = { from: `$."${from}"`, to: `$."${to}"` }
  const [renamed, has] =
    dialect === 'postgres'
      ? [
          sql<never>`(custom_field_data - ${from}::text)
            || jsonb_build_object(${to}::text, custom_field_data -> ${from}::text)`,
          sql`jsonb_exists(custom_field_data, ${from}::text)`,
        ]
      : [
          sql<never>`json_remove(
            json_set(custom_field_data, ${path.to}, json(custom_field_data -> ${path.from})), ${path.from})`,
          sql`custom_field_data -> ${path.from} is not null`,
        ]
  await tx
    .updateTable(table)
    .set({ customFieldData: renamed })
    .where(sql<boolean>`${own} ${behind} ${upTo} and ${has}`)
    .execute()
  if (last) return { table, after: last }
  const next = answerTables[answerTables.indexOf(table) + 1]
  return next && { table: next }
}
