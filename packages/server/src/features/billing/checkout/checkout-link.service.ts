import type { CheckoutLink, ParsedBillingBody, Product } from '@tollgate/contract/billing-types'
import type { Config } from '../../../foundation/config/config.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import { type InputIssue, TollgateError } from '../../../foundation/error.ts'
import { newBillingSecret, newUuid } from '../../../foundation/ids.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { currenciesOf } from '../catalog/offered-prices.ts'
import { readProducts } from '../catalog/product.service.ts'
import { changedTrial, noTrial, shownTrial } from '../catalog/trial-offer.ts'
import { findDiscount, productsOfDiscounts } from '../discount/discount.repository.ts'
import { readDiscounts } from '../discount/discount.service.ts'
import { isApplicable } from '../discount/discount-rules.ts'
import { inBody, invalid } from '../invalid.ts'
import { organizationMaySell } from '../merchant/may-sell.service.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { beginCheckout } from './checkout.service.ts'
import {
  type CheckoutLinkRow,
  type CheckoutLinkValues,
  findCheckoutLink,
  findCheckoutLinkBySecret,
  insertCheckoutLink,
  pageOfCheckoutLinks,
  productsOfLinks,
  setLinkProducts,
  updateCheckoutLinkRow,
} from './checkout-link.repository.ts'
import { broughtAlong, visitMetadata } from './checkout-link-query.ts'
import { offeredProducts } from './checkout-offer.ts'
import { discounted } from './pricing.ts'

/** Lists an organization's checkout links, optionally those with any of the given products. */
export const listCheckoutLinks: BillingHandler<'listCheckoutLinks'> = async ({ ctx, seller, query }) => {
  const { rows, pagination } = await pageOfCheckoutLinks(ctx.database.lists, seller.organizationId, query)
  return { items: await toCheckoutLinks(ctx, ctx.db, seller.organizationId, rows), pagination }
}

/** Creates a link for current products. The seller publishes its URL, so its `clientSecret` protects nothing. */
export const createCheckoutLink: BillingHandler<'createCheckoutLink'> = async ({ ctx, seller, body }) => {
  const { organizationId } = seller
  const offer = await offeredProducts(ctx.db, organizationId, body)
  const trial = changedTrial(noTrial, body, ctx.clock.now())
  const issues = [
    ...offer.issues,
    ...trial.issues,
    ...(await discountIssues(ctx.db, organizationId, body.discountId, offer.products)),
  ]
  if (issues.length > 0) throw invalid(...issues)

  const row = await ctx.transaction(async (tx) => {
    const created = await insertCheckoutLink(tx, {
      id: newUuid(),
      organizationId,
      clientSecret: `tollgate_cl_${newBillingSecret()}`,
      label: body.label ?? null,
      successUrl: body.successUrl ?? null,
      returnUrl: body.returnUrl ?? null,
      allowDiscountCodes: body.allowDiscountCodes ?? true,
      requireBillingAddress: body.requireBillingAddress ?? false,
      discountId: body.discountId ?? null,
      ...trial.offer,
      trialCardRequired: body.trialCardRequired ?? null,
      metadata: body.metadata ?? {},
      createdAt: ctx.clock.now(),
    })
    await setLinkProducts(
      tx,
      created.id,
      offer.products.map(({ id }) => id),
    )
    return created
  })
  return toCheckoutLink(ctx, row)
}

export const getCheckoutLink: BillingHandler<'getCheckoutLink'> = async ({ ctx, seller, params: { id } }) => {
  const row = await findCheckoutLink(ctx.db, seller.organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toCheckoutLink(ctx, row)
}

/** Updates a link; only its later checkouts change. */
export const updateCheckoutLink: BillingHandler<'updateCheckoutLink'> = async ({ ctx, seller, params, body }) => {
  const { id } = params
  const { organizationId } = seller
  const before = await findCheckoutLink(ctx.db, organizationId, id)
  if (!before) throw new TollgateError('RESOURCE_NOT_FOUND')
  const offer = body.products ? await offeredProducts(ctx.db, organizationId, { products: body.products }) : undefined
  const trial = changedTrial(before, body, ctx.clock.now())
  const issues = [
    ...(offer?.issues ?? []),
    ...trial.issues,
    ...(await changedDiscountIssues(ctx.db, before, body.discountId, offer?.products)),
  ]
  if (issues.length > 0) throw invalid(...issues)
  const values = { ...changedColumns(body), ...(isTrialGiven(body) && trial.offer) }
  if (!offer && Object.keys(values).length === 0) return toCheckoutLink(ctx, before)

  const row = await ctx.transaction(async (tx) => {
    const changed = await updateCheckoutLinkRow(tx, organizationId, id, { ...values, modifiedAt: ctx.clock.now() })
    if (changed && offer)
      await setLinkProducts(
        tx,
        id,
        offer.products.map((product) => product.id),
      )
    return changed
  })
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toCheckoutLink(ctx, row)
}

/** Deletes a link; its checkouts continue. */
export const deleteCheckoutLink: BillingHandler<'deleteCheckoutLink'> = async ({ ctx, seller, params: { id } }) => {
  const now = ctx.clock.now()
  const deleted = await ctx.transaction((tx) =>
    updateCheckoutLinkRow(tx, seller.organizationId, id, { deletedAt: now, modifiedAt: now }),
  )
  if (!deleted) throw new TollgateError('RESOURCE_NOT_FOUND')
}

/** Whether the link exists, for requests that must not start a checkout. */
export const isCheckoutLink = async (ctx: Context, clientSecret: string): Promise<boolean> =>
  (await findOpenableLink(ctx, clientSecret)) !== undefined

/**
 * Starts a checkout for the visitor of a link and returns its secret; undefined if the link or all of its products are
 * gone. Applies the query (`utm_*`, `reference_id`, prefilled values) as far as it is valid, and drops an unusable
 * discount: a published link must not lead to an error.
 */
export async function openCheckoutLink(
  ctx: Context,
  clientSecret: string,
  query: URLSearchParams,
  { ipAddress, country }: { readonly ipAddress: string; readonly country: string | undefined },
): Promise<string | undefined> {
  const link = await findOpenableLink(ctx, clientSecret)
  if (!link) return undefined
  const products = (await productsOf(ctx.db, link.id, link.organizationId)).filter(({ isArchived }) => !isArchived)
  const decided = {
    discountId: link.discountId,
    ...trialOf(link),
    allowDiscountCodes: link.allowDiscountCodes,
    requireBillingAddress: link.requireBillingAddress,
    successUrl: link.successUrl,
    returnUrl: link.returnUrl,
    metadata: visitMetadata(link.metadata, query),
  }
  const visitor = { ipAddress: ipAddress || null, country: country ?? null }
  return beginCheckout(ctx, link, products, { decided, brought: broughtAlong(query, products) }, visitor)
}

/** The trial that a link offers in place of its products'. */
const trialOf = ({ trialInterval, trialIntervalCount, trialUntil, trialCardRequired }: CheckoutLinkRow) => ({
  ...(trialInterval !== null && { trialInterval, trialIntervalCount }),
  ...(trialUntil !== null && { trialUntil }),
  trialCardRequired,
})

async function findOpenableLink(ctx: Context, clientSecret: string): Promise<CheckoutLinkRow | undefined> {
  if (!/^tollgate_cl_[A-Za-z0-9]{43}$/.test(clientSecret)) return undefined
  const link = await findCheckoutLinkBySecret(ctx.db, clientSecret)
  return link && (await organizationMaySell(ctx, link.organizationId)) ? link : undefined
}

/** What is wrong with the discount of a link after a change of it or of the products. */
async function changedDiscountIssues(
  db: Db,
  { id, organizationId, discountId: before }: CheckoutLinkRow,
  changed: Id<'discount'> | null | undefined,
  products: readonly Product[] | undefined,
): Promise<InputIssue[]> {
  const discountId = changed === undefined ? before : changed
  const isNew = discountId !== before
  if (discountId === null || (!isNew && !products)) return []
  // A discount that was deleted later stays without effect.
  if (!isNew && !(await findDiscount(db, organizationId, discountId))) return []
  return discountIssues(db, organizationId, discountId, products ?? (await productsOf(db, id, organizationId)))
}

async function productsOf(db: Db, id: Id<'checkoutLink'>, organizationId: Id<'organization'>): Promise<Product[]> {
  const ids = (await productsOfLinks(db, [id])).get(id) ?? []
  const known = await readProducts(db, organizationId, ids)
  return ids.flatMap((each) => known.get(each) ?? [])
}

/**
 * Refuses an unknown discount, and a fixed one that some buyers would miss: they pay in their country's currency, in
 * which it does not apply (DIS-5).
 */
async function discountIssues(
  db: Db,
  organizationId: Id<'organization'>,
  id: Id<'discount'> | null | undefined,
  products: readonly Product[],
): Promise<InputIssue[]> {
  if (id == null) return []
  const discount = await findDiscount(db, organizationId, id)
  if (!discount) return [inBody('discount_id', 'Discount does not exist.')]
  const { currency } = discount
  if (currency === null) return []
  const covered = (await productsOfDiscounts(db, [id])).get(id) ?? []
  const others = products
    .filter((product) => isApplicable(discount, covered, discounted(product, product.prices), currency))
    .flatMap(currenciesOf)
    .filter((each) => each !== currency)
  if (others.length === 0) return []
  const named = [...new Set(others)].map((each) => each.toUpperCase()).join(', ')
  const msg = `A fixed discount in ${currency.toUpperCase()} does not apply to prices in ${named}: use a percentage.`
  return [inBody('discount_id', msg)]
}

/** Null clears optional columns and leaves required ones unchanged. */
const changedColumns = (body: ParsedBillingBody<'updateCheckoutLink'>): CheckoutLinkValues => ({
  ...(body.label !== undefined && { label: body.label }),
  ...(body.successUrl !== undefined && { successUrl: body.successUrl }),
  ...(body.returnUrl !== undefined && { returnUrl: body.returnUrl }),
  ...(body.allowDiscountCodes != null && { allowDiscountCodes: body.allowDiscountCodes }),
  ...(body.requireBillingAddress != null && { requireBillingAddress: body.requireBillingAddress }),
  ...(body.discountId !== undefined && { discountId: body.discountId }),
  ...(body.trialCardRequired !== undefined && { trialCardRequired: body.trialCardRequired }),
  ...(body.metadata !== undefined && { metadata: body.metadata }),
})

const isTrialGiven = ({ trialInterval, trialIntervalCount, trialUntil }: ParsedBillingBody<'updateCheckoutLink'>) =>
  trialInterval !== undefined || trialIntervalCount !== undefined || trialUntil !== undefined

async function toCheckoutLink(ctx: Context, row: CheckoutLinkRow): Promise<CheckoutLink> {
  const [link] = await toCheckoutLinks(ctx, ctx.db, row.organizationId, [row])
  return proven(link, 'one row gives one answer')
}

async function toCheckoutLinks(
  { config }: Pick<Context, 'config'>,
  db: Db,
  organizationId: Id<'organization'>,
  rows: readonly CheckoutLinkRow[],
): Promise<CheckoutLink[]> {
  const productIds = await productsOfLinks(
    db,
    rows.map(({ id }) => id),
  )
  const products = await readProducts(db, organizationId, [...new Set([...productIds.values()].flat())])
  const discounts = await readDiscounts(
    db,
    organizationId,
    rows.flatMap(({ discountId }) => discountId ?? []),
  )
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    metadata: row.metadata,
    paymentProcessor: 'stripe',
    clientSecret: row.clientSecret,
    url: checkoutLinkAddress(config, row),
    successUrl: row.successUrl,
    returnUrl: row.returnUrl,
    label: row.label,
    allowDiscountCodes: row.allowDiscountCodes,
    requireBillingAddress: row.requireBillingAddress,
    ...shownTrial(row),
    trialCardRequired: row.trialCardRequired,
    discountId: row.discountId,
    organizationId: row.organizationId,
    products: (productIds.get(row.id) ?? []).flatMap((id) => {
      const product = products.get(id)
      if (!product) return []
      const { attachedCustomFields: _, ...shown } = product
      return [shown]
    }),
    discount: (row.discountId !== null && discounts.get(row.discountId)) || null,
  }))
}

/** The public address of a link. */
export const checkoutLinkAddress = (
  { baseURL }: Pick<Config, 'baseURL'>,
  { clientSecret }: Pick<CheckoutLinkRow, 'clientSecret'>,
): string => `${baseURL.origin}/buy/${clientSecret}`
