import type { BillingAnswer, ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import type { PriceChangeSum, ReplacedPrices } from '../../../foundation/db/tables/price-change.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { enqueue } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { inBody, invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { requireSubscribable } from './change-plan.ts'
import {
  changePlanned,
  countNotices,
  findPriceChange,
  insertPriceChange,
  listFixedPrices,
  type NoticeCounts,
  type PriceChangeRow,
  pageOfPriceChanges,
  sumsOfConcerned,
} from './price-change.repository.ts'

type Asked = ParsedBillingBody<'createPriceChange'>

/** The changes of price of an organization, newest first. */
export const listPriceChanges: BillingHandler<'listPriceChanges'> = async ({ ctx, seller, query }) => {
  const { rows, pagination } = await pageOfPriceChanges(ctx.database.lists, seller.organizationId, query)
  return { items: await toPriceChanges(ctx, rows), pagination }
}

export const getPriceChange: BillingHandler<'getPriceChange'> = ({ ctx, seller, params }) =>
  show(ctx, seller.organizationId, params.id)

/** Shows which subscriptions a change concerns, and what it brings. */
export const previewPriceChange: BillingHandler<'previewPriceChange'> = async ({ ctx, seller, body }) => {
  const { prices, amounts } = await prepare(ctx, seller.organizationId, body)
  const { productId, startsAt, noticeDays } = body
  return { productId, startsAt: startsAt.toISOString(), noticeDays, prices: shownPrices(prices), amounts }
}

/** Plans a change of price. A job lists the subscriptions that it concerns, in slices, and another one sends notices. */
export const createPriceChange: BillingHandler<'createPriceChange'> = async ({
  ctx,
  seller: { organizationId },
  body,
}) => {
  const { prices, amounts } = await prepare(ctx, organizationId, body)
  const { id } = await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const row = await insertPriceChange(tx, {
      id: newUuid(),
      organizationId,
      productId: body.productId,
      status: 'planned',
      prices,
      amounts,
      startsAt: body.startsAt,
      noticeDays: body.noticeDays,
      isListed: false,
      createdAt: now,
    })
    await enqueue(tx, now, {
      id: `list-price-change ${row.id}`,
      kind: 'list-price-change',
      payload: row.id,
      organizationId,
    })
    return row
  })
  return show(ctx, organizationId, id)
}

/**
 * Cancels a change before a first subscription has the new price; a conditional update decides. A job tells those who have
 * their notice.
 */
export const cancelPriceChange: BillingHandler<'cancelPriceChange'> = async ({ ctx, seller, params: { id } }) => {
  const { organizationId } = seller
  await ctx.transaction(async (tx) => {
    const found = await findPriceChange(tx, organizationId, id)
    if (!found) throw new TollgateError('RESOURCE_NOT_FOUND')
    if (isDone(found, (await countNotices(tx, [id])).get(id))) throw new TollgateError('PRICE_CHANGE_BEGUN')
    const now = ctx.clock.now()
    const changes = { status: 'canceled', canceledAt: now, modifiedAt: now } as const
    if (!(await changePlanned(tx, id, changes))) throw new TollgateError('PRICE_CHANGE_BEGUN')
    await enqueue(tx, now, { id: `tell-price-kept ${id}`, kind: 'tell-price-kept', payload: id, organizationId })
  })
  return show(ctx, organizationId, id)
}

/** How far ahead a change can be planned. */
const mostDays = 731

type Prepared = { readonly prices: ReplacedPrices[]; readonly amounts: PriceChangeSum[] }

/** The prices that a change replaces, and the sums of the subscriptions that have them. */
async function prepare(ctx: Context, organizationId: Id<'organization'>, asked: Asked): Promise<Prepared> {
  const now = ctx.clock.now()
  if (asked.startsAt < now) throw invalid(inBody('starts_at', 'The change should begin in the future.'))
  if (asked.startsAt.getTime() > now.getTime() + mostDays * 86_400_000)
    throw invalid(inBody('starts_at', `The change should begin within ${mostDays} days.`))
  await requireSubscribable(ctx.db, organizationId, asked.productId)
  const prices = await replacedPrices(ctx, organizationId, asked)
  const priceIds = prices.flatMap(({ fromPriceIds }) => fromPriceIds)
  const sums =
    priceIds.length === 0
      ? []
      : await sumsOfConcerned(ctx.database.lists, { organizationId, productId: asked.productId, priceIds })
  const amounts = sums.map(({ currency, count, units, amount }) => ({
    currency,
    subscriptionsCount: count,
    amountBefore: amount,
    amountAfter: units * proven(prices.find((each) => each.currency === currency)?.amount, 'it has a new price'),
  }))
  return { prices, amounts: amounts.toSorted((a, b) => a.currency.localeCompare(b.currency)) }
}

/** In each currency, the present fixed price, and the former ones that treat tax as it does. */
async function replacedPrices(
  { db }: Pick<Context, 'db'>,
  organizationId: Id<'organization'>,
  { productId, fromPriceIds, toPriceId }: Asked,
): Promise<ReplacedPrices[]> {
  const all = await listFixedPrices(db, organizationId, productId)
  const present = all.filter(({ isArchived }) => !isArchived)
  const wanted = toPriceId === undefined ? present : present.filter(({ id }) => id === toPriceId)
  if (wanted.length === 0)
    throw invalid(
      toPriceId === undefined
        ? inBody('product_id', 'Product has no fixed price.')
        : inBody('to_price_id', 'Price is no present fixed price of the product.'),
    )
  const known = new Set(all.map(({ id }) => id))
  const unknown = (fromPriceIds ?? []).flatMap((id, at) =>
    known.has(id) ? [] : [inBody(['from_price_ids', at], 'Price is no fixed price of the product.')],
  )
  if (unknown.length > 0) throw invalid(...unknown)
  return wanted.map((to) => ({
    currency: proven(to.priceCurrency, 'a fixed price has a currency'),
    fromPriceIds: all
      .filter(({ id, priceCurrency }) => id !== to.id && priceCurrency === to.priceCurrency)
      .filter(({ id, taxBehavior }) => taxBehavior === to.taxBehavior && (fromPriceIds?.includes(id) ?? true))
      .map(({ id }) => id),
    toPriceId: to.id,
    amount: proven(to.priceAmount, 'a fixed price has an amount'),
  }))
}

const shownPrices = (prices: readonly ReplacedPrices[]) =>
  prices.map((price) => ({ ...price, fromPriceIds: [...price.fromPriceIds] }))

async function show(ctx: Context, organizationId: Id<'organization'>, id: Id<'priceChange'>) {
  const row = await findPriceChange(ctx.db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return proven((await toPriceChanges(ctx, [row]))[0], 'one is given')
}

/** Whether no subscription waits for the new price: each has it, or is concerned no longer. */
const isDone = ({ status, isListed }: PriceChangeRow, { planned = 0, noticed = 0 }: NoticeCounts = {}): boolean =>
  status !== 'canceled' && isListed && planned + noticed === 0

async function toPriceChanges(
  { db }: Pick<Context, 'db'>,
  rows: readonly PriceChangeRow[],
): Promise<BillingAnswer<'getPriceChange'>[]> {
  const counts = await countNotices(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const ofRow = counts.get(row.id)
    const { planned = 0, noticed = 0, applied = 0, told = 0 } = ofRow ?? {}
    const isCanceled = row.status === 'canceled'
    return {
      id: row.id,
      createdAt: row.createdAt.toISOString(),
      modifiedAt: row.modifiedAt?.toISOString() ?? null,
      productId: row.productId,
      startsAt: row.startsAt.toISOString(),
      noticeDays: row.noticeDays,
      prices: shownPrices(row.prices),
      amounts: [...row.amounts],
      status: isDone(row, ofRow) ? 'done' : row.status,
      canceledAt: row.canceledAt?.toISOString() ?? null,
      // None waits for one that is canceled.
      subscriptionsCount: isCanceled ? applied : planned + noticed + applied,
      noticesCount: isCanceled ? told : noticed + applied,
      appliedCount: applied,
    }
  })
}
