import type { Span } from '../../../foundation/db/spans.ts'
import { invalid } from '../invalid.ts'
import type { BillingHandler } from './billing-handler.ts'
import { countRunningSubscriptions, customerCounts, orderSums, subscriptionChanges } from './overview.repository.ts'
import { daysOf, lengthOf, mostDays, type OverviewRange, overviewRange } from './overview-range.ts'

/** A seller's figures in a range of days, each with its course and the range before, for the dashboard's first page. */
export const getOverview: BillingHandler<'getOverview'> = async ({ ctx, seller: { organizationId }, query }) => {
  const { timezone = 'UTC' } = query
  const now = ctx.clock.now()
  const { startDate, endDate } = daysOf(query, timezone, now)
  const days = lengthOf(startDate, endDate)
  if (days < 1 || days > mostDays) {
    const msg = `The range should have between 1 and ${mostDays} days`
    throw invalid({ loc: ['query', 'end_date'], msg, type: 'value_error' })
  }

  const range = overviewRange(startDate, endDate, timezone, now)
  const spans = [range.before, ...range.periods]
  const stretches = stretchesUntil(now, range)
  const { lists } = ctx.database
  const [sales, customers, changes, running] = await Promise.all([
    orderSums(lists, organizationId, spans),
    customerCounts(lists, organizationId, spans),
    subscriptionChanges(lists, organizationId, stretches),
    countRunningSubscriptions(lists.db, organizationId),
  ])

  const { periods, before, interval } = range
  return {
    timezone,
    interval,
    startDate,
    endDate,
    since: periods[0]?.since.toISOString() ?? before.until.toISOString(),
    until: periods.at(-1)?.until.toISOString() ?? before.until.toISOString(),
    before: { startDate: before.startDate, endDate: before.endDate },
    periods: periods.map(({ date }) => date),
    orders: counted(spans, sales, ({ orders }) => orders),
    customers: counted(spans, customers, ({ count }) => count),
    subscriptions: runningAt(stretches, changes, running),
    revenue: byOrders(sales).map((currency) => {
      const own = sales.filter((sale) => sale.currency === currency)
      return { currency, ...counted(spans, own, ({ amount }) => amount) }
    }),
  }
}

/** A figure's course; the first of the spans is the one before. */
type Figure = { total: number; before: number; values: number[] }

function counted<Row extends { readonly position: number | string }>(
  spans: readonly Span[],
  rows: readonly Row[],
  read: (row: Row) => number | string,
): Figure {
  const [before = 0, ...values] = sums(spans, rows, read)
  return { total: values.reduce((total, value) => total + value, 0), before, values }
}

function sums<Row extends { readonly position: number | string }>(
  spans: readonly Span[],
  rows: readonly Row[],
  read: (row: Row) => number | string,
): number[] {
  const values = spans.map(() => 0)
  for (const row of rows) values[Number(row.position)]! += Number(read(row))
  return values
}

/** The end of time, for what counts up to now. */
const never = new Date('9999-12-31T00:00:00.000Z')

/**
 * The stretches between the moments at which running subscriptions are counted: the end of the range before, and of each
 * period. The last one goes on until now, from where the count goes backwards.
 */
function stretchesUntil(now: Date, { before, periods }: OverviewRange): Span[] {
  const moments = [before, ...periods].map(({ until }) => (until < now ? until : never))
  return moments.map((since, index) => ({ since, until: moments[index + 1] ?? never }))
}

/** Counts backwards from what runs now, so that it reads the changes since the range and nothing older. */
function runningAt(
  stretches: readonly Span[],
  changes: Awaited<ReturnType<typeof subscriptionChanges>>,
  running: number,
): Figure {
  let left = running
  const [before = 0, ...values] = sums(stretches, changes, ({ change }) => change)
    .reverse()
    .map((change) => (left -= change))
    .reverse()
  return { total: values.at(-1) ?? running, before, values }
}

/** The currencies with the most orders first. Amounts of different currencies do not compare. */
function byOrders(sales: readonly { readonly currency: string; readonly orders: number | string }[]): string[] {
  const orders = new Map<string, number>()
  for (const sale of sales) orders.set(sale.currency, (orders.get(sale.currency) ?? 0) + Number(sale.orders))
  return [...orders].sort(([a, of], [b, other]) => other - of || a.localeCompare(b)).map(([currency]) => currency)
}
