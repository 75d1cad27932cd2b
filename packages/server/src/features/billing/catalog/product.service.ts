import type { BillingAnswer, ParsedBillingBody, Product, ProductPrice } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { type InputIssue, TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { keptAnswers } from '../../../foundation/kept-answers.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { emitBilling } from '../events.ts'
import { inBody, invalid } from '../invalid.ts'
import { findMerchant } from '../merchant/merchant.repository.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import type { Seller } from '../seller/seller.service.ts'
import { lockCustomFields } from './custom-field.repository.ts'
import { lockProductMedias } from './file.repository.ts'
import { listLinkedCurrencies } from './link-discount.repository.ts'
import { findMeters } from './meter.repository.ts'
import {
  archiveOtherPrices,
  insertPrices,
  listPrices,
  listPricesOfProducts,
  type PriceRow,
  setPricePosition,
} from './price.repository.ts'
import { checkPrices, inOrder, type NewPrice, type PriceTerms, priceRow } from './price-rules.ts'
import {
  dropFromCheckoutLinks,
  findProduct,
  findProducts,
  insertProduct,
  listAttachedFields,
  listInOrder,
  listMedias,
  listProductRows,
  lockProduct,
  lockProductsOf,
  nextPosition,
  type ProductRow,
  replaceAttachedFields,
  replaceMedias,
  setProductPosition,
  updateProductRow,
} from './product.repository.ts'
import { toPrice, toProduct } from './product-answer.ts'
import { changedTrial, noTrial, onlyRecurringTrial } from './trial-offer.ts'

/** Products as responses show them, with their current prices; archived products included. */
export async function readProducts(
  db: Db,
  organizationId: Id<'organization'>,
  ids: readonly Id<'product'>[],
): Promise<Map<string, Product>> {
  if (ids.length === 0) return new Map()
  const products = await withParts(db, organizationId, await findProducts(db, organizationId, ids))
  return new Map(products.map((product) => [product.id, product]))
}

/** Prices by id, archived ones included. */
export async function readPrices(
  db: Db,
  organizationId: Id<'organization'>,
  ids: readonly Id<'productPrice'>[],
): Promise<Map<string, ProductPrice>> {
  if (ids.length === 0) return new Map()
  const rows = await listPrices(db, organizationId, ids)
  return new Map(rows.map((row) => [row.id, toPrice(row)]))
}

/** Loads the parts of all products with one query per kind of part. */
async function withParts(db: Db, organizationId: Id<'organization'>, rows: readonly ProductRow[]): Promise<Product[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const prices = Map.groupBy(await listPricesOfProducts(db, organizationId, ids), ({ productId }) => productId)
  const medias = Map.groupBy(await listMedias(db, ids), ({ productId }) => productId)
  const fields = Map.groupBy(await listAttachedFields(db, ids), ({ productId }) => productId)
  return rows.map((row) =>
    toProduct(row, {
      prices: prices.get(row.id) ?? [],
      medias: medias.get(row.id) ?? [],
      fields: fields.get(row.id) ?? [],
    }),
  )
}

/** Maximum number of products in the cached answers of one kind: a few megabytes. */
const keptLimit = 2000
const keptProducts = keptAnswers<Product>('products', keptLimit, () => 1)
const keptPages = keptAnswers<BillingAnswer<'listProducts'>>('products', keptLimit, ({ items }) => 1 + items.length)

export const listProducts: BillingHandler<'listProducts'> = ({ ctx, caller, seller: { organizationId }, query }) => {
  const read = async () => {
    const { rows, pagination } = await listProductRows(ctx.database.lists, organizationId, query, query)
    return { items: await withParts(ctx.db, organizationId, rows), pagination }
  }
  const key = `${organizationId} ${JSON.stringify(query)}`
  // Long queries are rare.
  return key.length > 500 ? read() : keptPages({ ctx, caller }, key, read)
}

export const getProduct: BillingHandler<'getProduct'> = ({ ctx, caller, seller, params: { id } }) =>
  keptProducts({ ctx, caller }, `${seller.organizationId} ${id}`, () => productOf(ctx, seller, id))

async function productOf(ctx: Context, { organizationId }: Seller, id: Id<'product'>): Promise<Product> {
  const row = await findProduct(ctx.db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  const [product] = await withParts(ctx.db, organizationId, [row])
  return proven(product, 'one row gives one answer')
}

/** Creates a product with its prices, pictures and custom fields. Reports all faults at once. */
export const createProduct: BillingHandler<'createProduct'> = ({ ctx, seller, body }) => {
  const { organizationId } = seller
  const { name, description = null, recurringInterval, prices, medias, attachedCustomFields, metadata = {} } = body
  return ctx.transaction(async (tx) => {
    const meterIds = await knownMeters(tx, organizationId, prices)
    const terms = await priceTerms(ctx, tx, organizationId)
    const trial = changedTrial(noTrial, body, ctx.clock.now())
    const issues = [
      ...trial.issues,
      ...onlyRecurringTrial(trial.offer, recurringInterval),
      ...checkPrices(prices, { recurringInterval }, meterIds, terms),
      ...(await checkMedias(tx, organizationId, medias)),
      ...(await checkAttached(tx, organizationId, attachedCustomFields)),
    ]
    if (issues.length > 0) throw invalid(...issues)

    const createdAt = ctx.clock.now()
    const row = await insertProduct(tx, {
      id: newUuid(),
      organizationId,
      name,
      description,
      recurringInterval,
      isArchived: false,
      isTaxExempt: body.isTaxExempt ?? false,
      features: body.features ?? [],
      isHighlighted: body.isHighlighted ?? false,
      position: await nextPosition(tx, organizationId),
      ...trial.offer,
      trialCardRequired: body.trialCardRequired ?? true,
      metadata,
      createdAt,
    })
    const place = { organizationId, productId: row.id, createdAt, taxBehavior: terms.taxBehavior }
    await insertPrices(
      tx,
      inOrder(prices, terms).map((price, position) => priceRow(price, { ...place, position })),
    )
    if (medias) await replaceMedias(tx, row.id, medias)
    if (attachedCustomFields) await replaceAttachedFields(tx, row.id, attachedCustomFields)
    return told(ctx, tx, seller, 'product.created', row)
  })
}

/** Emits the event and returns the product as it is now. */
async function told(
  ctx: Context,
  tx: Tx,
  seller: Seller,
  type: 'product.created' | 'product.updated',
  row: ProductRow,
): Promise<Product> {
  const [product] = await withParts(tx, row.organizationId, [row])
  await emitBilling(tx, ctx.clock.now(), seller, type, proven(product, 'one row gives one answer'))
  return proven(product, 'one row gives one answer')
}

/**
 * Updates the given members. `prices` lists kept prices by id, and new ones; all others are archived, but existing
 * subscriptions keep them. The interval never changes. Archiving removes the product from checkout links.
 */
export const updateProduct: BillingHandler<'updateProduct'> = ({ ctx, seller, params: { id }, body }) => {
  const { organizationId } = seller
  const {
    name,
    description,
    recurringInterval,
    isArchived,
    isTaxExempt,
    features,
    isHighlighted,
    position,
    prices,
    medias,
    attachedCustomFields,
    metadata,
  } = body
  return ctx.transaction(async (tx) => {
    // A move writes all products. Two moves that lock their own product first would deadlock.
    if (typeof position === 'number') await lockProductsOf(tx, organizationId)
    const before = await lockProduct(tx, organizationId, id)
    if (!before) throw new TollgateError('RESOURCE_NOT_FOUND')
    const issues: InputIssue[] = []
    if (recurringInterval !== undefined && recurringInterval !== before.recurringInterval)
      issues.push(inBody('recurring_interval', 'Recurring interval cannot be changed.'))
    const trial = changedTrial(before, body, ctx.clock.now())
    issues.push(...trial.issues, ...onlyRecurringTrial(trial.offer, before.recurringInterval))
    const replaced = prices && (await checkReplacedPrices(ctx, tx, before, prices))
    issues.push(
      ...(replaced?.issues ?? []),
      ...(await checkMedias(tx, organizationId, medias)),
      ...(await checkAttached(tx, organizationId, attachedCustomFields)),
    )
    if (issues.length > 0) throw invalid(...issues)

    const now = ctx.clock.now()
    if (replaced) await replacePrices(tx, before, replaced, now)
    if (medias) await replaceMedias(tx, id, medias)
    if (attachedCustomFields) await replaceAttachedFields(tx, id, attachedCustomFields)
    if (isArchived) await dropFromCheckoutLinks(tx, organizationId, id, now)
    if (typeof position === 'number') await moveTo(tx, before, position)
    const row = await updateProductRow(tx, id, {
      ...(name && { name }),
      ...(description !== undefined && { description }),
      ...(typeof isArchived === 'boolean' && { isArchived }),
      ...(typeof isTaxExempt === 'boolean' && { isTaxExempt }),
      ...(features && { features }),
      ...(typeof isHighlighted === 'boolean' && { isHighlighted }),
      ...trial.offer,
      ...(typeof body.trialCardRequired === 'boolean' && { trialCardRequired: body.trialCardRequired }),
      ...(metadata && { metadata }),
      modifiedAt: now,
    })
    return told(ctx, tx, seller, 'product.updated', row)
  })
}

/** The most products that a move renumbers: a pricing page shows far fewer. */
const mostPlaced = 1000

/**
 * Moves a product to a place among those for sale and renumbers all of them. Only the moved product emits an event:
 * a change of every other place would flood the seller's webhooks.
 */
async function moveTo(tx: Tx, { organizationId, id }: ProductRow, position: number): Promise<void> {
  const others = (await listInOrder(tx, organizationId, mostPlaced)).filter((other) => other.id !== id)
  const ids = others.map((other) => other.id)
  for (const [place, each] of ids.toSpliced(position, 0, id).entries()) await setProductPosition(tx, each, place)
}

type Replacement = NonNullable<ParsedBillingBody<'updateProduct'>['prices']>[number]

/** An existing or a new price. */
type NextPrice = PriceRow | NewPrice

/** The product's next prices, and all their faults. */
async function checkReplacedPrices(
  ctx: Context,
  tx: Tx,
  product: ProductRow,
  asked: readonly Replacement[],
): Promise<{ prices: NextPrice[]; issues: InputIssue[]; terms: PriceTerms }> {
  const { organizationId } = product
  const present = new Map((await listPricesOfProducts(tx, organizationId, [product.id])).map((row) => [row.id, row]))
  const issues: InputIssue[] = []
  const kept = new Set<string>()
  const prices = asked.flatMap((price, index): NextPrice[] => {
    if (!isKept(price)) return [price]
    const row = present.get(price.id)
    if (!row) issues.push(inBody(['prices', index, 'id'], 'Price does not exist.'))
    else if (kept.has(price.id)) issues.push(inBody(['prices', index, 'id'], 'This price is a duplicate.'))
    kept.add(price.id)
    return row ? [row] : []
  })
  const terms = await priceTerms(ctx, tx, organizationId)
  // Positions are wrong while an unknown price is missing, so stop here.
  if (issues.length > 0) return { prices, issues, terms }
  const meterIds = await knownMeters(tx, organizationId, prices)
  const currencies = new Set([...present.values()].map(({ priceCurrency }) => priceCurrency))
  issues.push(
    ...checkPrices(prices, product, meterIds, terms),
    ...(await checkNewCurrencies(tx, product, prices, currencies)),
  )
  return { prices, issues, terms }
}

/**
 * Refuses prices in a further currency while a checkout link offers the product with a fixed discount in another: its
 * buyers in the new currency would miss the discount that the link promises.
 */
async function checkNewCurrencies(
  tx: Tx,
  { organizationId, id }: ProductRow,
  prices: readonly NextPrice[],
  known: ReadonlySet<string | null>,
): Promise<InputIssue[]> {
  const added = prices.flatMap((price, index) =>
    'priceCurrency' in price && price.priceCurrency !== null && !known.has(price.priceCurrency)
      ? [{ index, currency: price.priceCurrency }]
      : [],
  )
  if (added.length === 0) return []
  const promised = await listLinkedCurrencies(tx, organizationId, id)
  return added.flatMap(({ index, currency }) => {
    const other = promised.find((each) => each !== currency)
    if (other === undefined) return []
    const link = `A checkout link offers this product with a fixed discount in ${other.toUpperCase()}`
    const msg = `${link}, which does not apply to prices in ${currency.toUpperCase()}: give the link a percentage first.`
    return [inBody(['prices', index, 'price_currency'], msg)]
  })
}

/** The contract gives new prices no id. */
const isKept = (price: Replacement | NextPrice): price is Extract<Replacement | PriceRow, { id: string }> =>
  'id' in price && price.id !== undefined

async function replacePrices(
  tx: Tx,
  product: ProductRow,
  { prices, terms }: { readonly prices: readonly NextPrice[]; readonly terms: PriceTerms },
  now: Date,
): Promise<void> {
  const { taxBehavior } = terms
  const place = { organizationId: product.organizationId, productId: product.id, createdAt: now, taxBehavior }
  const keptIds = prices.flatMap((price) => (isKept(price) ? [price.id] : []))
  await archiveOtherPrices(tx, product.id, keptIds, now)
  for (const [position, price] of inOrder(prices, terms).entries()) {
    if (isKept(price)) await setPricePosition(tx, price.id, position)
    else await insertPrices(tx, [priceRow(price, { ...place, position })])
  }
}

/** What the rules of prices depend on: the processor of new checkouts, and the organization's defaults. */
async function priceTerms({ payments }: Context, tx: Tx, organizationId: Id<'organization'>): Promise<PriceTerms> {
  const merchant = await findMerchant(tx, organizationId)
  return {
    processor: payments.forNewCheckouts,
    taxBehavior: merchant?.taxSettings?.taxBehavior ?? 'exclusive',
    defaultCurrency: merchant?.defaultCurrency ?? null,
  }
}

/** The organization's meters among those in the prices. */
async function knownMeters(
  tx: Tx,
  organizationId: Id<'organization'>,
  prices: readonly NextPrice[],
): Promise<ReadonlySet<string>> {
  const ids = prices.flatMap((price) =>
    price.amountType === 'metered_unit' && 'meterId' in price
      ? [proven(price.meterId, 'a new metered price names its meter')]
      : [],
  )
  if (ids.length === 0) return new Set()
  return new Set((await findMeters(tx, organizationId, ids)).map(({ id }) => id))
}

/** Refuses pictures of other organizations, unfinished uploads and duplicates. */
async function checkMedias(
  tx: Tx,
  organizationId: Id<'organization'>,
  ids: readonly Id<'file'>[] | null | undefined,
): Promise<InputIssue[]> {
  if (!ids || ids.length === 0) return []
  const known = new Set((await lockProductMedias(tx, organizationId, ids)).map(({ id }) => id))
  return ids.flatMap((id, index) => {
    if (!known.has(id)) return [inBody(['medias', index], 'File does not exist or is not uploaded.')]
    return ids.indexOf(id) < index ? [inBody(['medias', index], 'This file is a duplicate.')] : []
  })
}

/** Refuses fields of other organizations and duplicates. */
async function checkAttached(
  tx: Tx,
  organizationId: Id<'organization'>,
  attached: readonly { readonly customFieldId: Id<'customField'> }[] | null | undefined,
): Promise<InputIssue[]> {
  if (!attached || attached.length === 0) return []
  const ids = attached.map(({ customFieldId }) => customFieldId)
  const known = new Set((await lockCustomFields(tx, organizationId, ids)).map(({ id }) => id))
  return ids.flatMap((id, index) => {
    const place = ['attached_custom_fields', index, 'custom_field_id']
    if (!known.has(id)) return [inBody(place, 'Custom field does not exist.')]
    return ids.indexOf(id) < index ? [inBody(place, 'This custom field is a duplicate.')] : []
  })
}

/** Sets a product's benefits. No benefits exist yet, so only an empty list is valid. */
export const updateProductBenefits: BillingHandler<'updateProductBenefits'> = async ({ ctx, seller, params, body }) => {
  const { id } = params
  const { benefits } = body
  const product = await productOf(ctx, seller, id)
  if (benefits.length > 0)
    throw invalid(...benefits.map((_, index) => inBody(['benefits', index], 'Benefit does not exist.')))
  return product
}
