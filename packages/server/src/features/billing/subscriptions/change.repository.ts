import type { Insertable, Selectable } from 'kysely'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import type { ComputedOrder, LinePeriod } from '../engine/compute-order.ts'

export type SubscriptionChangeRow = Selectable<Tables['subscriptionChange']>

export const insertChange = (tx: Tx, change: Insertable<Tables['subscriptionChange']>) =>
  tx.insertInto('subscriptionChange').values(change).execute()

export const findChange = (db: Db, id: Id<'subscriptionChange'>): Promise<SubscriptionChangeRow | undefined> =>
  db.selectFrom('subscriptionChange').selectAll().where('id', '=', id).executeTakeFirst()

/** The change of a subscription that is not paid yet, with whether its payment is under way. */
export const findPendingChange = (db: Db, subscriptionId: Id<'subscription'>) =>
  db
    .selectFrom('subscriptionChange')
    .selectAll('subscriptionChange')
    .select((by) =>
      by
        .selectFrom('payment')
        .select('payment.id')
        .whereRef('payment.changeId', '=', 'subscriptionChange.id')
        .where('payment.status', '=', 'pending')
        .limit(1)
        .as('paymentUnderWay'),
    )
    .where('subscriptionId', '=', subscriptionId)
    .where('subscriptionChange.status', '=', 'pending')
    .executeTakeFirst()

/** Ends a pending change; undefined if it has ended already. */
export const settleChange = (
  tx: Tx,
  id: Id<'subscriptionChange'>,
  status: 'applied' | 'discarded',
  now: Date,
): Promise<SubscriptionChangeRow | undefined> =>
  tx
    .updateTable('subscriptionChange')
    .set({ status, settledAt: now })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()

/** The order as it was quoted; JSON has turned its times to text. */
export function computedIn({ computed }: SubscriptionChangeRow): ComputedOrder {
  const stored: ComputedOrder = JSON.parse(computed) // written by `beginPayment`
  const revived = (period: LinePeriod | null) => period && { start: new Date(period.start), end: new Date(period.end) }
  return { ...stored, items: stored.items.map((item) => ({ ...item, period: revived(item.period) })) }
}
