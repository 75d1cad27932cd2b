import type { CustomField, ParsedBillingBody, ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import { isUniqueViolation, type Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { inBody, invalid } from '../invalid.ts'
import type { Seller } from '../seller/seller.service.ts'
import {
  type CustomFieldRow,
  detachCustomField,
  findCustomField,
  insertCustomField,
  isSlugBeingLeft,
  listCustomFieldRows,
  lockCustomField,
  markCustomFieldDeleted,
  updateCustomFieldRow,
} from './custom-field.repository.ts'
import { toCustomField } from './custom-field-answer.ts'
import { beginRename } from './custom-field-rename.service.ts'

export async function listCustomFields(ctx: Context, seller: Seller, query: ParsedBillingQuery<'listCustomFields'>) {
  const { rows, pagination } = await listCustomFieldRows(ctx.database.lists, seller.organizationId, query, query)
  return { items: rows.map(toCustomField), pagination }
}

/** Creates a field; its slug is unique within the organization. */
export async function createCustomField(
  ctx: Context,
  { organizationId }: Seller,
  body: ParsedBillingBody<'createCustomField'>,
): Promise<CustomField> {
  const { type, slug, name, properties, metadata = {} } = body
  const row = await ctx.transaction(async (tx) => {
    const inserted = await insertCustomField(tx, {
      id: newUuid(),
      organizationId,
      type,
      slug,
      name,
      properties: properties,
      metadata,
      createdAt: ctx.clock.now(),
    })
    if (!inserted || (await isSlugBeingLeft(tx, organizationId, slug))) throw slugTaken()
    return inserted
  })
  return toCustomField(row)
}

export async function getCustomField(ctx: Context, seller: Seller, id: string): Promise<CustomField> {
  const row = await findCustomField(ctx.db, seller.organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toCustomField(row)
}

/** Updates the given members, never the type. Stored answers move to a new slug. */
export async function updateCustomField(
  ctx: Context,
  { organizationId }: Seller,
  id: string,
  body: ParsedBillingBody<'updateCustomField'>,
): Promise<CustomField> {
  try {
    const row = await ctx.transaction(async (tx) => {
      const before = await lockCustomField(tx, organizationId, id)
      if (!before) throw new TollgateError('RESOURCE_NOT_FOUND')
      if (body.type !== before.type) throw invalid(inBody('type', 'The type of a custom field cannot be changed.'))
      return changeField(ctx, tx, before, body)
    })
    return toCustomField(row)
  } catch (error) {
    throw isUniqueViolation(error) ? slugTaken() : error
  }
}

async function changeField(
  ctx: Context,
  tx: Tx,
  before: CustomFieldRow,
  { slug, name, properties, metadata }: ParsedBillingBody<'updateCustomField'>,
): Promise<CustomFieldRow> {
  const isRenamed = slug !== undefined && slug !== null && slug !== before.slug
  // A second rename would strand the answers that the first has not moved yet.
  if (isRenamed && before.renamedFrom !== null)
    throw invalid(inBody('slug', 'Stored answers are still being given the last slug. Try again in a moment.'))
  const row = await updateCustomFieldRow(tx, before.id, {
    ...(isRenamed && { slug }),
    ...(name && { name }),
    ...(properties && { properties: properties }),
    ...(metadata && { metadata }),
    modifiedAt: ctx.clock.now(),
  })
  if (!isRenamed) return row
  if (await isSlugBeingLeft(tx, before.organizationId, slug)) throw slugTaken()
  await beginRename(ctx, tx, { ...before, from: before.slug, to: slug })
  return row
}

/** Removes a field and detaches it from products. Stored answers stay, and the slug becomes free. */
export async function deleteCustomField(ctx: Context, { organizationId }: Seller, id: string): Promise<undefined> {
  await ctx.transaction(async (tx) => {
    const isDeleted = await markCustomFieldDeleted(tx, organizationId, id, ctx.clock.now())
    if (!isDeleted) throw new TollgateError('RESOURCE_NOT_FOUND')
    await detachCustomField(tx, id)
  })
}

const slugTaken = () => invalid(inBody('slug', 'Custom field with this slug already exists.'))
