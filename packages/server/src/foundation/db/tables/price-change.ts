import { defaulted, flag, id, integer, json, nullable, oneOf, type RowId, text, time, timestamps } from './columns.ts'

/** The prices that a change replaces in one currency, and the one that comes in their place. */
export type ReplacedPrices = {
  readonly currency: string
  readonly fromPriceIds: readonly RowId<'productPrice'>[]
  readonly toPriceId: RowId<'productPrice'>
  /** Of the new price, for one unit and period. */
  readonly amount: number
}

/** What the subscribers pay for a period, before and after, without discounts and tax. */
export type PriceChangeSum = {
  readonly currency: string
  readonly subscriptionsCount: number
  readonly amountBefore: number
  readonly amountAfter: number
}

export const priceChangeTables = {
  /** A change of price for those who have subscribed to a product already. */
  priceChange: {
    id: id('priceChange'),
    organizationId: id('organization'),
    productId: id('product'),
    /** It runs once a first subscription has the new price. */
    status: oneOf(['planned', 'running', 'canceled']),
    prices: json<readonly ReplacedPrices[]>(),
    /** As of its creation. */
    amounts: json<readonly PriceChangeSum[]>(),
    startsAt: time(),
    noticeDays: integer(),
    /** The last subscription that was looked at; both are null before the first. */
    listedUntil: nullable(time()),
    listedId: nullable(text()),
    isListed: defaulted(flag()),
    canceledAt: nullable(time()),
    ...timestamps,
  },
  /** A subscription that a change of price concerns, and how far it is. */
  priceChangeNotice: {
    id: id('priceChangeNotice'),
    organizationId: id('organization'),
    priceChangeId: id('priceChange'),
    subscriptionId: id('subscription'),
    status: oneOf(['planned', 'noticed', 'applied', 'skipped']),
    noticeAt: time(),
    noticedAt: nullable(time()),
    appliedAt: nullable(time()),
    createdAt: time(),
  },
} as const
