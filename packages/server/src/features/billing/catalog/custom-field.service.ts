import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import { isUniqueViolation, type Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { inBody, invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
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

export const listCustomFields: BillingHandler<'listCustomFields'> = async ({ ctx, seller, query }) => {
  const { rows, pagination } = await listCustomFieldRows(ctx.database.lists, seller.organizationId, query, query)
  return { items: rows.map(toCustomField), pagination }
}

/** Creates a field; its slug is unique within the organization. */
export const createCustomField: BillingHandler<'createCustomField'> = async ({ ctx, seller, body }) => {
  const { organizationId } = seller
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

export const getCustomField: BillingHandler<'getCustomField'> = async ({ ctx, seller, params: { id } }) => {
  const row = await findCustomField(ctx.db, seller.organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toCustomField(row)
}

/** Updates the given members, never the type. Stored answers move to a new slug. */
export const updateCustomField: BillingHandler<'updateCustomField'> = async ({ ctx, seller, params, body }) => {
  const { organizationId } = seller
  const { id } = params
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
    throw invalid(inBody('slug', 'The previous change of the slug is still in progress. Try again in a moment.'))
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
export const deleteCustomField: BillingHandler<'deleteCustomField'> = async ({ ctx, seller, params }) => {
  const { organizationId } = seller
  const { id } = params
  await ctx.transaction(async (tx) => {
    const isDeleted = await markCustomFieldDeleted(tx, organizationId, id, ctx.clock.now())
    if (!isDeleted) throw new TollgateError('RESOURCE_NOT_FOUND')
    await detachCustomField(tx, id)
  })
}

const slugTaken = () => invalid(inBody('slug', 'Custom field with this slug already exists.'))
