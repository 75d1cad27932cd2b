import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import { lockInOrder } from '../../../foundation/db/lock-order.ts'
import { prepare } from '../../../foundation/db/prepared.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import {
  column,
  contains,
  type ListFilters,
  type ListRequest,
  metadataFits,
  readPage,
  whereOneOf,
} from '../list.repository.ts'

export type ProductRow = Selectable<Tables['product']>

const ofOrganization = (db: Db, organizationId: Id<'organization'>) =>
  db.selectFrom('product').selectAll().where('organizationId', '=', organizationId)

export const findProduct = (db: Db, organizationId: Id<'organization'>, id: Id<'product'>) =>
  ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst()

/** A product, locked against concurrent changes. */
export const lockProduct = (tx: Tx, organizationId: Id<'organization'>, id: Id<'product'>) =>
  lockInOrder(tx, 'product', id, ofOrganization(tx, organizationId).where('id', '=', id)).executeTakeFirst()

/** Locks all products of an organization by ascending id, before a move renumbers them. */
export const lockProductsOf = (tx: Tx, organizationId: Id<'organization'>) =>
  lockInOrder(
    tx,
    'product',
    undefined,
    tx.selectFrom('product').select('id').where('organizationId', '=', organizationId).orderBy('id'),
  ).execute()

/** The organization's products among the given ids, archived ones included. */
export function findProducts(db: Db, organizationId: Id<'organization'>, ids: readonly Id<'product'>[]) {
  const [id] = ids
  return id !== undefined && ids.length === 1
    ? productsById(db, { organizationId, id })
    : ofOrganization(db, organizationId).where('id', 'in', ids).execute()
}

const productsById = prepare((db, { organizationId, id }: { organizationId: Id<'organization'>; id: Id<'product'> }) =>
  ofOrganization(db, organizationId).where('id', '=', id),
)

/** A column of the first price that is free, fixed or the buyer's choice; `otherwise` if there are only usage prices. */
const ofStaticPrice = (value: string, otherwise: string) =>
  sql`coalesce((select ${sql.raw(value)} from product_price as price where price.product_id = product.id
    and price.is_archived = false and price.amount_type <> 'metered_unit'
    order by price.position limit 1), ${sql.raw(otherwise)})`

const columns = {
  created_at: column('product.createdAt', 'time'),
  position: column('product.position', 'number'),
  name: column('product.name', 'text'),
  price_amount_type: { ref: ofStaticPrice('price.amount_type', `'metered_unit'`), kind: 'text' },
  /** A price of the buyer's choice sorts by its preset, else by its minimum. */
  price_amount: {
    ref: ofStaticPrice('coalesce(price.price_amount, price.preset_amount, price.minimum_amount)', '0'),
    kind: 'number',
  },
} as const

export const listProductRows = (
  lists: Lists,
  organizationId: Id<'organization'>,
  request: ListRequest,
  filters: ListFilters<'listProducts'>,
) => readPage(fittingProducts(lists, organizationId, filters), request, { columns, id: 'product.id' })

/** The matching products of an organization. */
export function fittingProducts(
  lists: Lists,
  organizationId: Id<'organization'>,
  filters: ListFilters<'listProducts'>,
) {
  const { query: text, isArchived, isRecurring, visibility, benefitId, metadata } = filters
  let query = whereOneOf(ofOrganization(lists.db, organizationId), 'product', filters, ['id'])
  if (text) query = query.where(contains(lists, text, 'product.name'))
  if (isArchived !== undefined) query = query.where('isArchived', '=', isArchived)
  if (isRecurring !== undefined) query = query.where('recurringInterval', isRecurring ? 'is not' : 'is', null)
  // Every product is public.
  if (visibility && !visibility.includes('public')) query = query.where(sql<boolean>`1 = 0`)
  // No product has a benefit.
  if (benefitId) query = query.where(sql<boolean>`1 = 0`)
  if (metadata) query = query.where(metadataFits(lists, 'product.metadata', metadata))
  return query
}

export const insertProduct = (tx: Tx, product: Insertable<Tables['product']>) =>
  tx.insertInto('product').values(product).returningAll().executeTakeFirstOrThrow()

export const updateProductRow = (tx: Tx, id: Id<'product'>, change: Updateable<Tables['product']>) =>
  tx.updateTable('product').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** The ids of the products for sale, in the order of the pricing page. */
export const listInOrder = (db: Db, organizationId: Id<'organization'>, limit: number) =>
  db
    .selectFrom('product')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('isArchived', '=', false)
    .orderBy('position')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** The place after all products of the organization. */
export async function nextPosition(tx: Tx, organizationId: Id<'organization'>): Promise<number> {
  const { last } = await tx
    .selectFrom('product')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return last === null ? 0 : Number(last) + 1
}

export const setProductPosition = (tx: Tx, id: Id<'product'>, position: number) =>
  tx.updateTable('product').set({ position }).where('id', '=', id).where('position', '<>', position).execute()

/** The pictures of some products, in order. */
export function listMedias(db: Db, productIds: readonly Id<'product'>[]) {
  const [id] = productIds
  return id !== undefined && productIds.length === 1
    ? mediasOfOne(db, { id })
    : medias(db).where('productMedia.productId', 'in', productIds).execute()
}

const medias = (db: Db) =>
  db
    .selectFrom('productMedia')
    .innerJoin('file', 'file.id', 'productMedia.fileId')
    .selectAll('file')
    .select('productMedia.productId')
    .where('file.deletedAt', 'is', null)
    .orderBy('productMedia.position')

const mediasOfOne = prepare((db, { id }: { id: Id<'product'> }) => medias(db).where('productMedia.productId', '=', id))

/** The custom fields of some products, in order. */
export function listAttachedFields(db: Db, productIds: readonly Id<'product'>[]) {
  const [id] = productIds
  return id !== undefined && productIds.length === 1
    ? fieldsOfOne(db, { id })
    : attachedFields(db).where('attached.productId', 'in', productIds).execute()
}

const attachedFields = (db: Db) =>
  db
    .selectFrom('productCustomField as attached')
    .innerJoin('customField', 'customField.id', 'attached.customFieldId')
    .selectAll('customField')
    .select(['attached.productId', 'attached.position', 'attached.required'])
    .where('customField.deletedAt', 'is', null)
    .orderBy('attached.position')

const fieldsOfOne = prepare((db, { id }: { id: Id<'product'> }) =>
  attachedFields(db).where('attached.productId', '=', id),
)

/** Replaces a product's pictures. */
export async function replaceMedias(tx: Tx, productId: Id<'product'>, fileIds: readonly Id<'file'>[]): Promise<void> {
  await tx.deleteFrom('productMedia').where('productId', '=', productId).execute()
  const rows = fileIds.map((fileId, position) => ({ productId, fileId, position }))
  if (rows.length > 0) await tx.insertInto('productMedia').values(rows).execute()
}

type Attachment = { readonly customFieldId: Id<'customField'>; readonly required: boolean }

/** Replaces a product's custom fields. */
export async function replaceAttachedFields(
  tx: Tx,
  productId: Id<'product'>,
  fields: readonly Attachment[],
): Promise<void> {
  await tx.deleteFrom('productCustomField').where('productId', '=', productId).execute()
  const rows = fields.map(({ customFieldId, required }, position) => ({ productId, customFieldId, required, position }))
  if (rows.length > 0) await tx.insertInto('productCustomField').values(rows).execute()
}

/** Removes a product from every checkout link, and every link that has no other product. */
export async function dropFromCheckoutLinks(
  tx: Tx,
  organizationId: Id<'organization'>,
  productId: Id<'product'>,
  now: Date,
): Promise<void> {
  const links = await tx
    .deleteFrom('checkoutLinkProduct')
    .where('productId', '=', productId)
    .returning('checkoutLinkId')
    .execute()
  if (links.length === 0) return
  await tx
    .updateTable('checkoutLink')
    .set({ deletedAt: now })
    .where('organizationId', '=', organizationId)
    .where(
      'id',
      'in',
      links.map(({ checkoutLinkId }) => checkoutLinkId),
    )
    .where('deletedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('checkoutLinkProduct as other')
            .select('other.productId')
            .whereRef('other.checkoutLinkId', '=', 'checkoutLink.id'),
        ),
      ),
    )
    .execute()
}
