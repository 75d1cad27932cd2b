import type { Discount, DiscountBase, ParsedBillingBody, Product, ProductBase } from '@tollgate/contract/billing-types'
import { type Db, type Id, isUniqueViolation, type Tx } from '../../../foundation/db/database.ts'
import { type InputIssue, TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { listOtherCurrencies } from '../catalog/link-discount.repository.ts'
import { readProducts } from '../catalog/product.service.ts'
import { inBody, invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import {
  type DiscountRow,
  type DiscountValues,
  findDiscount,
  insertDiscount,
  listDiscountRows,
  lockDiscount,
  markDiscountDeleted,
  pageOfDiscounts,
  productsOfDiscounts,
  setDiscountProducts,
  updateDiscountRow,
} from './discount.repository.ts'

/** The discounts of an organization; `query` matches the name or code. */
export const listDiscounts: BillingHandler<'listDiscounts'> = async ({ ctx, seller, query }) => {
  const { rows, pagination } = await pageOfDiscounts(ctx.database.lists, seller.organizationId, query)
  return { items: await toDiscounts(ctx.db, seller.organizationId, rows), pagination }
}

/** Creates a discount. Of two concurrent ones with the same code, the unique index admits one (DIS-3). */
export const createDiscount: BillingHandler<'createDiscount'> = async ({ ctx, seller, body }) => {
  const { organizationId } = seller
  const productIds = body.products ?? []
  const issues = [...windowIssues(body), ...(await unknownProducts(ctx.db, organizationId, productIds))]
  if (issues.length > 0) throw invalid(...issues)

  const row = await refusingTakenCode(() =>
    ctx.transaction(async (tx) => {
      const created = await insertDiscount(tx, {
        id: newUuid(),
        organizationId,
        name: body.name,
        ...codeColumns(body.code ?? null),
        type: body.type,
        duration: body.duration,
        durationInMonths: body.duration === 'repeating' ? body.durationInMonths : null,
        amount: body.type === 'fixed' ? body.amount : null,
        currency: body.type === 'fixed' ? body.currency : null,
        basisPoints: body.type === 'percentage' ? body.basisPoints : null,
        startsAt: body.startsAt ?? null,
        endsAt: body.endsAt ?? null,
        maxRedemptions: body.maxRedemptions ?? null,
        maxRedemptionsPerCustomer: body.maxRedemptionsPerCustomer ?? null,
        redemptionsCount: 0,
        metadata: body.metadata ?? {},
        createdAt: ctx.clock.now(),
      })
      await setDiscountProducts(tx, created.id, productIds)
      return created
    }),
  )
  return toDiscount(ctx.db, row)
}

export const getDiscount: BillingHandler<'getDiscount'> = async ({ ctx, seller, params: { id } }) => {
  const row = await findDiscount(ctx.db, seller.organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toDiscount(ctx.db, row)
}

/**
 * Changes a discount under a lock that blocks redemptions. Its value is fixed from its first redemption on (DIS-1).
 * Checkouts that use it keep the amounts that their buyers have seen.
 */
export const updateDiscount: BillingHandler<'updateDiscount'> = async ({ ctx, seller, params: { id }, body }) => {
  const { organizationId } = seller
  const row = await refusingTakenCode(() =>
    ctx.transaction(async (tx) => {
      const before = await lockDiscount(tx, organizationId, id)
      if (!before) throw new TollgateError('RESOURCE_NOT_FOUND')
      const now = ctx.clock.now()
      const issues = [
        ...fixedTermIssues(before, body),
        ...windowIssues({ startsAt: before.startsAt, endsAt: before.endsAt, ...given(body) }),
        ...limitIssues(before, body, now),
        ...(await unknownProducts(tx, organizationId, body.products ?? [])),
        ...(body.products ? await linkIssues(tx, before, body.products) : []),
      ]
      if (issues.length > 0) throw invalid(...issues)

      if (body.products) await setDiscountProducts(tx, id, body.products)
      const values = changedColumns(body)
      const isChanged = body.products != null || Object.keys(values).length > 0
      return isChanged ? updateDiscountRow(tx, id, { ...values, modifiedAt: now }) : before
    }),
  )
  return toDiscount(ctx.db, row)
}

/** Deletes a discount and frees its code. Subscriptions and orders that use it keep it (DIS-8). */
export const deleteDiscount: BillingHandler<'deleteDiscount'> = async ({ ctx, seller, params: { id } }) => {
  const deleted = await ctx.transaction((tx) => markDiscountDeleted(tx, seller.organizationId, id, ctx.clock.now()))
  if (!deleted) throw new TollgateError('RESOURCE_NOT_FOUND')
}

/** Discounts of an organization as responses embed them; includes deleted ones, because orders still name them. */
export async function readDiscounts(
  db: Db,
  organizationId: Id<'organization'>,
  ids: readonly Id<'discount'>[],
): Promise<Map<string, DiscountBase>> {
  if (ids.length === 0) return new Map()
  const rows = await listDiscountRows(db, organizationId, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, toDiscountBase(row)]))
}

/** A discount as responses embed it. */
export const toDiscountBase = (row: DiscountRow): DiscountBase => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: row.modifiedAt?.toISOString() ?? null,
  name: row.name,
  code: row.code,
  type: row.type,
  duration: row.duration,
  ...(row.durationInMonths !== null && { durationInMonths: row.durationInMonths }),
  ...(row.amount !== null &&
    row.currency !== null && {
      amount: row.amount,
      currency: row.currency,
      amounts: { [row.currency]: row.amount },
    }),
  ...(row.basisPoints !== null && { basisPoints: row.basisPoints }),
  metadata: row.metadata,
  startsAt: row.startsAt?.toISOString() ?? null,
  endsAt: row.endsAt?.toISOString() ?? null,
  maxRedemptions: row.maxRedemptions,
  maxRedemptionsPerCustomer: row.maxRedemptionsPerCustomer,
  redemptionsCount: row.redemptionsCount,
  organizationId: row.organizationId,
})

async function toDiscount(db: Db, row: DiscountRow): Promise<Discount> {
  const [discount] = await toDiscounts(db, row.organizationId, [row])
  return proven(discount, 'one row gives one answer')
}

async function toDiscounts(
  db: Db,
  organizationId: Id<'organization'>,
  rows: readonly DiscountRow[],
): Promise<Discount[]> {
  const productIds = await productsOfDiscounts(
    db,
    rows.map(({ id }) => id),
  )
  const products = await readProducts(db, organizationId, [...new Set([...productIds.values()].flat())])
  return rows.map((row) => ({
    ...toDiscountBase(row),
    products: (productIds.get(row.id) ?? []).flatMap((id) => {
      const product = products.get(id)
      return product ? [baseOf(product)] : []
    }),
  }))
}

const baseOf = ({ prices: _, benefits: __, medias: ___, attachedCustomFields: ____, ...base }: Product): ProductBase =>
  base

/** Products that are not this organization's, each with its place in the body. */
async function unknownProducts(
  db: Db,
  organizationId: Id<'organization'>,
  ids: readonly Id<'product'>[],
): Promise<InputIssue[]> {
  if (ids.length === 0) return []
  const known = await readProducts(db, organizationId, [...new Set(ids)])
  return ids.flatMap((id, index) => (known.has(id) ? [] : [inBody(['products', index], 'Product does not exist.')]))
}

/**
 * Refuses further products for a fixed discount that checkout links offer with prices in other currencies: buyers in
 * those would miss the discount that the link promises.
 */
async function linkIssues(
  tx: Tx,
  { id, organizationId, currency }: DiscountRow,
  next: readonly Id<'product'>[],
): Promise<InputIssue[]> {
  if (currency === null) return []
  const covered = (await productsOfDiscounts(tx, [id])).get(id) ?? []
  const isAdded = (product: string) =>
    covered.length > 0 && !covered.includes(product) && (next.length === 0 || next.includes(product))
  const others = (await listOtherCurrencies(tx, organizationId, id)).filter(({ productId }) => isAdded(productId))
  if (others.length === 0) return []
  const named = [...new Set(others.map((other) => other.currency.toUpperCase()))].join(', ')
  const link = `A checkout link with this discount offers a product with prices in ${named}`
  return [inBody('products', `${link}, to which a fixed discount in ${currency.toUpperCase()} does not apply.`)]
}

type Window = { readonly startsAt?: Date | null | undefined; readonly endsAt?: Date | null | undefined }

const windowIssues = ({ startsAt, endsAt }: Window): InputIssue[] =>
  startsAt && endsAt && startsAt >= endsAt ? [inBody('ends_at', 'Ends at should be after starts at.')] : []

/** The given ends of the window; null removes an end. */
const given = ({ startsAt, endsAt }: Window): Window => ({
  ...(startsAt !== undefined && { startsAt }),
  ...(endsAt !== undefined && { endsAt }),
})

type Update = ParsedBillingBody<'updateDiscount'>

/** The terms of a discount that never change, and those that are fixed from the first redemption on (DIS-1). */
function fixedTermIssues(before: DiscountRow, body: Update): InputIssue[] {
  const issues: InputIssue[] = []
  const differs = (name: 'type' | 'duration' | 'durationInMonths' | 'amount' | 'currency' | 'basisPoints') =>
    body[name] != null && body[name] !== before[name]
  if (differs('type')) issues.push(inBody('type', 'The type of a discount cannot be changed.'))
  if (differs('duration')) issues.push(inBody('duration', 'The duration of a discount cannot be changed.'))
  // Otherwise checkouts that use it would subtract an amount in another currency.
  if (body.amount != null && before.currency !== null && differs('currency'))
    issues.push(inBody('currency', 'The currency of a discount cannot be changed.'))
  for (const [name, path] of worth) {
    if (!differs(name)) continue
    if (before[name] === null) issues.push(inBody(path, 'This type of discount does not have this field.'))
    else if (before.redemptionsCount > 0)
      issues.push(inBody(path, 'This cannot be changed after the first redemption.'))
  }
  return issues
}

const worth = [
  ['amount', 'amount'],
  ['basisPoints', 'basis_points'],
  ['durationInMonths', 'duration_in_months'],
] as const

function limitIssues(before: DiscountRow, body: Update, now: Date): InputIssue[] {
  const issues: InputIssue[] = []
  // An update may repeat the date of an ended discount.
  if (body.endsAt && body.endsAt < now && body.endsAt.getTime() !== before.endsAt?.getTime())
    issues.push(inBody('ends_at', 'Ends at should be in the future.'))
  if (body.maxRedemptions != null && body.maxRedemptions < before.redemptionsCount)
    issues.push(inBody('max_redemptions', 'The discount already has more redemptions.'))
  return issues
}

/** Codes match in any letter case. */
const codeColumns = (code: string | null) => ({ code, codeKey: code?.toLowerCase() ?? null })

/** Null removes an optional member and leaves a required one. */
const changedColumns = (body: Update): DiscountValues => ({
  ...(body.name != null && { name: body.name }),
  ...(body.code !== undefined && codeColumns(body.code)),
  ...given(body),
  ...(body.maxRedemptions !== undefined && { maxRedemptions: body.maxRedemptions }),
  ...(body.maxRedemptionsPerCustomer !== undefined && { maxRedemptionsPerCustomer: body.maxRedemptionsPerCustomer }),
  ...(body.amount != null && { amount: body.amount }),
  ...(body.basisPoints != null && { basisPoints: body.basisPoints }),
  ...(body.durationInMonths != null && { durationInMonths: body.durationInMonths }),
  ...(body.metadata !== undefined && { metadata: body.metadata }),
})

async function refusingTakenCode<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw invalid(inBody('code', 'Discount with this code already exists.'))
  }
}
