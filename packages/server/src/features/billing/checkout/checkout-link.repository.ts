import type { ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Id, Lists, Tx } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { column, type ListFilters, readPage } from '../list.repository.ts'

export type CheckoutLinkRow = Selectable<Tables['checkoutLink']>
export type CheckoutLinkValues = Updateable<Tables['checkoutLink']>

const present = (db: Db) => db.selectFrom('checkoutLink').selectAll().where('deletedAt', 'is', null)
const ofOrganization = (db: Db, organizationId: Id<'organization'>) =>
  present(db).where('organizationId', '=', organizationId)

/** A link of one organization, unless deleted. */
export const findCheckoutLink = (db: Db, organizationId: Id<'organization'>, id: Id<'checkoutLink'>) =>
  ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst()

export const findCheckoutLinkBySecret = (db: Db, clientSecret: string) =>
  present(db).where('clientSecret', '=', clientSecret).executeTakeFirst()

/** Columns that may be null cannot be cursors. */
const columns = {
  created_at: column('checkoutLink.createdAt', 'time'),
  label: column('checkoutLink.label', 'nullable'),
  success_url: column('checkoutLink.successUrl', 'nullable'),
  allow_discount_codes: column('checkoutLink.allowDiscountCodes', 'nullable'),
}

export const pageOfCheckoutLinks = (
  lists: Lists,
  organizationId: Id<'organization'>,
  request: ParsedBillingQuery<'listCheckoutLinks'>,
) => readPage(fittingCheckoutLinks(lists, organizationId, request), request, { columns, id: 'checkoutLink.id' })

/** The matching links of an organization. */
export function fittingCheckoutLinks(
  { db }: Lists,
  organizationId: Id<'organization'>,
  { productId }: ListFilters<'listCheckoutLinks'>,
) {
  let query = ofOrganization(db, organizationId)
  if (productId)
    query = query.where('id', 'in', (links) =>
      links.selectFrom('checkoutLinkProduct').select('checkoutLinkId').where('productId', 'in', productId),
    )
  return query
}

export const insertCheckoutLink = (tx: Tx, link: Insertable<Tables['checkoutLink']>) =>
  tx.insertInto('checkoutLink').values(link).returningAll().executeTakeFirstOrThrow()

/** Undefined if the link was deleted meanwhile. */
export const updateCheckoutLinkRow = (
  tx: Tx,
  organizationId: Id<'organization'>,
  id: Id<'checkoutLink'>,
  values: CheckoutLinkValues,
) =>
  tx
    .updateTable('checkoutLink')
    .set(values)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Product ids by link, in order. */
export async function productsOfLinks(
  db: Db,
  linkIds: readonly Id<'checkoutLink'>[],
): Promise<Map<string, Id<'product'>[]>> {
  const found = new Map<string, Id<'product'>[]>(linkIds.map((id) => [id, []]))
  if (linkIds.length === 0) return found
  const rows = await db
    .selectFrom('checkoutLinkProduct')
    .selectAll()
    .where('checkoutLinkId', 'in', linkIds)
    .orderBy('position')
    .execute()
  for (const { checkoutLinkId, productId } of rows) found.get(checkoutLinkId)?.push(productId)
  return found
}

export async function setLinkProducts(
  tx: Tx,
  checkoutLinkId: Id<'checkoutLink'>,
  productIds: readonly Id<'product'>[],
): Promise<void> {
  await tx.deleteFrom('checkoutLinkProduct').where('checkoutLinkId', '=', checkoutLinkId).execute()
  const rows = productIds.map((productId, position) => ({ checkoutLinkId, productId, position }))
  await tx.insertInto('checkoutLinkProduct').values(rows).execute()
}
