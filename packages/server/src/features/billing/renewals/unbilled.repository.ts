import { type Selectable, sql } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { billableStatuses } from '../states.ts'

export type SubscriptionRow = Selectable<Tables['subscription']>

/**
 * A subscription without a next action, with what each of its periods costs, and the discount off it. The names differ
 * from those of columns, because expressions are not decoded as columns are.
 */
export type Unbilled = {
  readonly id: Id<'subscription'>
  readonly organizationId: Id<'organization'>
  readonly currency: string
  readonly recurringInterval: 'month' | 'year'
  readonly anchorDay: number
  readonly standsUntil: string | Date
  readonly price: string | number
  readonly offType: string | null
  readonly offDuration: string | null
  readonly offAmount: string | number | null
  readonly offPoints: number | null
  readonly offMonths: number | null
  readonly offSince: string | Date | null
}

/** Where the items of subscriptions are: a database that is not migrated yet has prices instead. */
const amounts = {
  migrated: sql`(select coalesce(sum(item.unit_amount * item.quantity), 0) from subscription_item as item
    where item.subscription_id = subscription.id)`,
  former: sql`(select coalesce(sum(case price.amount_type when 'fixed' then price.price_amount
      when 'custom' then coalesce((select amount from checkout where checkout.id = subscription.checkout_id),
        subscription.amount) else 0 end), 0)
    from subscription_price as item join product_price as price on price.id = item.product_price_id
    where item.subscription_id = subscription.id)`,
} as const

const undecided = {
  migrated: sql`subscription.next_action_at is null`,
  former: sql`1 = 1`,
} as const

/** Subscriptions that are billed but never renewed, of one seller or of all, in slices by id. */
export async function listUnbilled(
  db: Db,
  schema: keyof typeof amounts,
  organizationId: Id<'organization'> | undefined,
  after: string,
  limit: number,
): Promise<Unbilled[]> {
  const own = organizationId === undefined ? sql`1 = 1` : sql`subscription.organization_id = ${organizationId}`
  const { rows } = await sql<Unbilled>`
    select subscription.id, subscription.organization_id, subscription.currency, subscription.recurring_interval,
      subscription.anchor_day, subscription.current_period_end as stands_until, ${amounts[schema]} as price,
      discount.type as off_type, discount.duration as off_duration, discount.amount as off_amount,
      discount.basis_points as off_points, discount.duration_in_months as off_months,
      subscription.discount_applied_at as off_since
    from subscription left join discount on discount.id = subscription.discount_id
    where subscription.status in (${sql.join(billableStatuses)}) and subscription.current_period_end is not null
      and subscription.cancel_at_period_end = ${false} and ${undecided[schema]} and ${own} and subscription.id > ${after}
    order by subscription.id limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Gives a subscription its next action, and perhaps another period; undefined if another run gave it one. */
export const beginRenewing = (
  tx: Tx,
  id: Id<'subscription'>,
  changes: Pick<SubscriptionRow, 'nextActionAt'> & Partial<SubscriptionRow>,
): Promise<SubscriptionRow | undefined> =>
  tx
    .updateTable('subscription')
    .set((set) => ({ ...changes, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .where('nextActionAt', 'is', null)
    .where('status', 'in', billableStatuses)
    .returningAll()
    .executeTakeFirst()
