import type { BillingAnswer, ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import type { SchedulePhase } from '../../../foundation/db/tables/order.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { lockCustomer } from '../customer/customer.repository.ts'
import { findDiscount } from '../discount/discount.repository.ts'
import {
  appliesTo,
  noLongerRedeemable,
  redeemDiscount,
  releaseLatestRedemption,
  requireDiscount,
} from '../discount/redemption.service.ts'
import { inBody, invalid } from '../invalid.ts'
import { skipNotices } from '../order/price-notice.repository.ts'
import { changeSubscription, lockSubscription, type SubscriptionRow } from '../order/subscription.repository.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { type ChangeWork, changedBy, requirePayable } from './change-plan.ts'
import { makeWay, requireChangeable } from './changeable.ts'
import { lockBoth, requireSubscription, tellChanged } from './locked.ts'
import { comingBegins } from './schedule-step.ts'
import { fullAmountOf, readSubscribed, type Subscribed } from './subscribed.ts'

type AskedPhase = ParsedBillingBody<'setSubscriptionSchedule'>['phases'][number]

/** Shows what a subscription is planned to become. */
export const getSubscriptionSchedule: BillingHandler<'getSubscriptionSchedule'> = async ({ ctx, seller, params }) =>
  toSchedule(await requireSubscription(ctx.db, seller.organizationId, params.id))

/**
 * Plans what a subscription becomes. The first phase begins with the next period, in place of what a former schedule has
 * planned. Discounts are redeemed now, so that what is planned also comes (DIS-6).
 */
export const setSubscriptionSchedule: BillingHandler<'setSubscriptionSchedule'> = async ({
  ctx,
  seller: { organizationId },
  params: { id },
  body,
  current,
}) => {
  const now = ctx.clock.now()
  requireEnds(body.phases, now)
  const planned = await ctx.transaction(async (tx) => {
    const { customerId } = await requireSubscription(tx, organizationId, id)
    await lockCustomer(tx, organizationId, { id: customerId })
    const row = await requireSubscription(tx, organizationId, id)
    requireChangeable(row)
    if (row.pendingChange !== null) throw new TollgateError('SUBSCRIPTION_CHANGE_PENDING')
    requireFirstEnd(body.phases, row)
    // What the former schedule has redeemed and does not use can be redeemed again.
    await giveBack(tx, row)
    const phases = await resolvedPhases({ ctx, db: tx }, row, body.phases)
    await redeem(tx, now, row, phases)
    // A discount is locked before its subscriptions.
    const locked = proven(await lockSubscription(tx, organizationId, id), 'subscriptions are never deleted')
    if (locked.version !== row.version) throw new TollgateError('SUBSCRIPTION_CHANGE_PENDING')
    await makeWay(ctx, tx, locked)
    // A schedule has the prices of its day, in place of those of a change that waits.
    await skipNotices(tx, [id])
    const schedule = { createdAt: now.toISOString(), phases: phases.map(({ phase }) => phase), periods: 0 }
    const changed = await changeSubscription(tx, id, { schedule, modifiedAt: now })
    await tellChanged(ctx, tx, changed, ['subscription.updated'], current?.user.id ?? null)
    return changed
  })
  return toSchedule(planned)
}

/** Removes what is planned; what has begun stays. */
export const removeSubscriptionSchedule: BillingHandler<'removeSubscriptionSchedule'> = async ({
  ctx,
  seller: { organizationId },
  params: { id },
  current,
}) => {
  await ctx.transaction(async (tx) => {
    const { customerId } = await requireSubscription(tx, organizationId, id)
    await lockCustomer(tx, organizationId, { id: customerId })
    await giveBack(tx, await requireSubscription(tx, organizationId, id))
    const row = await lockBoth(tx, organizationId, id)
    if (row.schedule === null) return
    const changed = await changeSubscription(tx, id, { schedule: null, modifiedAt: ctx.clock.now() })
    await tellChanged(ctx, tx, changed, ['subscription.updated'], current?.user.id ?? null)
  })
}

/** Refuses phases of which it is not clear when they end: each but the last says it once, in order, and ahead. */
function requireEnds(phases: readonly AskedPhase[], now: Date): void {
  let last = now
  const issues = phases.flatMap(({ periods, until }, at) => {
    const isLast = at === phases.length - 1
    const wrong = (field: string, msg: string) => [inBody(['phases', at, field], msg)]
    if (isLast && periods !== undefined) return wrong('periods', 'The last phase has no end.')
    if (isLast && until !== undefined) return wrong('until', 'The last phase has no end.')
    if (isLast) return []
    if ((periods === undefined) === (until === undefined)) return wrong('periods', 'Name either periods or until.')
    if (until === undefined) return []
    if (until <= last) return wrong('until', 'The phase should end in the future, and after those before it.')
    if (until > yearsAfter(now)) return wrong('until', `The phase should end within ${mostYears} years.`)
    last = until
    return []
  })
  if (issues.length > 0) throw invalid(...issues)
}

const mostYears = 30
const yearsAfter = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear() + mostYears, now.getUTCMonth()))

function requireFirstEnd([first]: readonly AskedPhase[], { currentPeriodEnd }: SubscriptionRow): void {
  if (first?.until && first.until <= proven(currentPeriodEnd, 'it is active'))
    throw invalid(inBody(['phases', 0, 'until'], 'The phase would end before it begins with the next period.'))
}

type Resolved = { readonly phase: SchedulePhase; readonly email: string }

/** The phases with the products, prices and discounts that they have; refuses what a subscription cannot have. */
async function resolvedPhases(
  work: Pick<ChangeWork, 'ctx' | 'db'>,
  row: SubscriptionRow,
  asked: readonly AskedPhase[],
): Promise<Resolved[]> {
  let before = await readSubscribed(work.ctx, work.db, row)
  const known = new Set(row.discountId === null ? [] : [row.discountId])
  const resolved: Resolved[] = []
  for (const [at, each] of asked.entries()) {
    before = await within(['phases', at], () => withPhase(work, before, each))
    const { discountId } = each
    const discount =
      discountId === undefined
        ? null
        : await within(['phases', at], () => scheduledDiscount(work, before, { discountId, known }))
    resolved.push({ phase: phaseOf(before, each, discount), email: before.customer.email })
  }
  return resolved
}

async function withPhase({ ctx, db }: Pick<ChangeWork, 'ctx' | 'db'>, before: Subscribed, asked: AskedPhase) {
  const isOther = asked.productId !== undefined || asked.quantity !== undefined
  const { productId, quantity } = asked
  const changed = isOther ? await changedBy(db, before, { productId, quantity }) : before
  if (changed.prices.some(({ amountType }) => amountType === 'custom'))
    throw invalid(inBody('product_id', 'Product has a price that the buyer chooses.'))
  requirePayable(ctx, { ...changed, discount: undefined })
  return changed
}

type NamedDiscount = { readonly discountId: Id<'discount'> | null; readonly known: Set<Id<'discount'>> }

/** The discount that a phase begins with; one that the subscription has already is not redeemed once more. */
async function scheduledDiscount(
  { ctx, db }: Pick<ChangeWork, 'ctx' | 'db'>,
  { row: { organizationId, customerId, currency }, product, customer }: Subscribed,
  { discountId: id, known }: NamedDiscount,
): Promise<NonNullable<SchedulePhase['discount']>> {
  if (id === null) return { id, isRedeemed: false }
  if (!known.has(id)) {
    const buyer = { customerId, email: customer.email }
    await requireDiscount(db, ctx.clock.now(), { organizationId, id, product, currency, buyer })
    known.add(id)
    return { id, isRedeemed: true }
  }
  const discount = await findDiscount(db, organizationId, id)
  if (!discount) throw invalid(inBody('discount_id', 'Discount does not exist.'))
  if (!(await appliesTo(db, discount, product, currency)))
    throw invalid(inBody('discount_id', 'Discount does not apply to the product.'))
  return { id, isRedeemed: false }
}

const phaseOf = (
  { row, items, prices }: Subscribed,
  { periods, until }: AskedPhase,
  discount: SchedulePhase['discount'],
): SchedulePhase => ({
  productId: row.productId,
  priceIds: prices.map(({ id }) => id),
  quantity: row.quantity,
  amount: fullAmountOf(items),
  recurringInterval: row.recurringInterval,
  discount,
  periods: periods ?? null,
  until: until?.toISOString() ?? null,
  beganAt: null,
})

/** Lets a fault of a phase name the phase. */
async function within<Result>(path: readonly (string | number)[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TollgateError) || !error.issues) throw error
    throw invalid(...error.issues.map((issue) => ({ ...issue, loc: ['body', ...path, ...issue.loc.slice(1)] })))
  }
}

/** Redeems the discounts of a schedule, in the order in which transactions lock them. */
async function redeem(
  tx: Tx,
  now: Date,
  { organizationId, customerId, id: subscriptionId }: SubscriptionRow,
  phases: readonly Resolved[],
): Promise<void> {
  const wanted = phases.flatMap(({ phase: { discount }, email }) =>
    discount?.isRedeemed && discount.id !== null ? [{ discountId: discount.id, email }] : [],
  )
  for (const each of wanted.toSorted((a, b) => (a.discountId < b.discountId ? -1 : 1)))
    if (!(await redeemDiscount(tx, now, { organizationId, subscriptionId, customerId, ...each })))
      throw noLongerRedeemable()
}

/** Gives back what the phases to come have redeemed. */
async function giveBack(tx: Tx, { id, schedule }: SubscriptionRow): Promise<void> {
  const ids = (schedule?.phases ?? []).flatMap(({ beganAt, discount }) =>
    beganAt === null && discount?.isRedeemed && discount.id !== null ? [discount.id] : [],
  )
  for (const discountId of ids.toSorted()) await releaseLatestRedemption(tx, id, discountId)
}

function toSchedule(row: SubscriptionRow): BillingAnswer<'getSubscriptionSchedule'> {
  const { schedule, currency, currentPeriodEnd, recurringInterval, anchorDay } = row
  if (!schedule) return { createdAt: null, phases: [] }
  const coming = currentPeriodEnd ? comingBegins(schedule, { currentPeriodEnd, recurringInterval, anchorDay }) : []
  const next = schedule.phases.findIndex(({ beganAt }) => beganAt === null)
  return {
    createdAt: schedule.createdAt,
    phases: schedule.phases.map(({ priceIds, discount, beganAt, ...phase }, at) => ({
      productId: phase.productId,
      productPriceIds: [...priceIds],
      quantity: phase.quantity,
      amount: phase.amount,
      currency,
      recurringInterval: phase.recurringInterval,
      periods: phase.periods,
      until: phase.until,
      keepsDiscount: discount === null,
      discountId: discount?.id ?? null,
      state: at < next - 1 ? 'over' : at < next ? 'running' : 'planned',
      beginsAt: beganAt ?? coming[at - next]?.toISOString() ?? null,
    })),
  }
}
