import type { periodCredits } from '@tollgate/contract/billing-schemas'
import type { Db } from '../../../foundation/db/database.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import type { OrderLine } from '../engine/compute-order.ts'
import { prorate } from '../engine/proration.ts'
import { split } from '../money.ts'
import { listOpenOrders } from '../order/order.repository.ts'
import { discountOfRunning, termsOf } from './change-plan.ts'
import { listWaitingEntries, paidInPeriod } from './renewal.repository.ts'
import type { Subscribed } from './subscribed.ts'

export type PeriodCredit = (typeof periodCredits)[number]

/**
 * The lines that give a customer back what is left of the running period, or all of it (SUB-32). A period that is not
 * paid gives nothing back, and none gives more than it has brought in.
 */
export async function creditLines(
  db: Db,
  subscribed: Subscribed,
  credit: PeriodCredit,
  now: Date,
): Promise<OrderLine[]> {
  const { row, taxBehavior } = subscribed
  if (credit === 'none' || row.status !== 'active' || (await listOpenOrders(db, row)).length > 0) return []
  const period = { start: row.currentPeriodStart, end: proven(row.currentPeriodEnd, 'it is active') }
  const { prices } = await termsOf(db, subscribed, await discountOfRunning(db, subscribed))
  const lines = prorate({ old: prices, next: [] }, period, credit === 'full' ? period.start : now)
  const waiting = (await listWaitingEntries(db, row.id)).reduce((sum, { amount }) => sum + amount, 0)
  const most = Math.max(0, waiting + (await paidInPeriod(db, row, taxBehavior)))
  return atMost(most, lines)
}

/** Lines of credit that are worth no more than `most` together. */
function atMost(most: number, lines: OrderLine[]): OrderLine[] {
  const amounts = lines.map(({ amount }) => -amount)
  if (amounts.reduce((sum, amount) => sum + amount, 0) <= most) return lines
  const parts = split(most, amounts)
  return lines
    .map((line, at) => ({ ...line, amount: -(parts[at] ?? 0), unitAmount: null }))
    .filter(({ amount }) => amount !== 0)
}
