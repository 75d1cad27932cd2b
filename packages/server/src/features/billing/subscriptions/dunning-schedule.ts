import { after, days } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import type { DunningSchedule } from '../../../foundation/db/tables/order.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { findMerchant, subscriptionSettingsOf } from '../merchant/merchant.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'

/** The schedule of dunnings that began before each kept its own. */
const formerSchedule: DunningSchedule = { retryAfterDays: [2, 5, 7, 7], graceDays: 0 }

/** Attempts of one order in 24 hours beside its schedule, which new default methods trigger (SUB-28). */
export const mostUnscheduledPerDay = 10

/** The schedule of a dunning that begins now: the seller's, or else the installation's. It stays with the dunning. */
export async function scheduleOfSeller(
  { config: { billing } }: Pick<Context, 'config'>,
  db: Db,
  organizationId: Id<'organization'>,
): Promise<DunningSchedule> {
  const chosen = subscriptionSettingsOf(await findMerchant(db, organizationId))
  const usual = billing === false ? formerSchedule : billing.dunning
  return {
    retryAfterDays: chosen.dunningRetryAfterDays ?? usual.retryAfterDays,
    graceDays: chosen.benefitRevocationGracePeriod,
  }
}

type Dunned = Pick<SubscriptionRow, 'dunningSchedule' | 'pastDueAt'>

const scheduleOf = ({ dunningSchedule }: Dunned): DunningSchedule => dunningSchedule ?? formerSchedule
const begunAt = ({ pastDueAt }: Dunned): Date => proven(pastDueAt, 'a subscription past due has its time')

/** The step of the last retry, whose failure ends the subscription (SUB-13). */
export const lastRetryOf = (row: Dunned): number => scheduleOf(row).retryAfterDays.length - 1

/** When a step's retry is due. The days of the steps sum up from the first failure, however late an attempt was. */
export function retryAt(row: Dunned, step: number): Date {
  const waited = scheduleOf(row).retryAfterDays.slice(0, step + 1)
  const total = waited.reduce((sum, day) => sum + day, 0)
  return after(begunAt(row), days(total))
}

/**
 * The retry that follows a step: when it is due, or later where the processor asks to wait, and at the latest with the last
 * one. Steps that the wait passes over are skipped.
 */
export function nextRetry(row: Dunned, step: number, ...waits: readonly (Date | null)[]) {
  const last = lastRetryOf(row)
  const wanted = Math.max(retryAt(row, step).getTime(), ...waits.map((wait) => wait?.getTime() ?? 0))
  const nextActionAt = new Date(Math.min(wanted, retryAt(row, last).getTime()))
  let dunningStep = step
  while (dunningStep < last && retryAt(row, dunningStep + 1) <= nextActionAt) dunningStep += 1
  return { dunningStep, nextActionAt }
}

/** Until when a subscription past due keeps its benefits (SUB-15). */
export const graceEndOf = (row: Dunned): Date => after(begunAt(row), days(scheduleOf(row).graceDays))

/**
 * Whether it was canceled while past due and only keeps its grace: nothing is collected, and nothing brings it back
 * (SUB-19). One that was canceled before its renewal failed is still to be paid.
 */
export const isEndingUnpaid = ({ status, cancelAtPeriodEnd, canceledAt, pastDueAt }: SubscriptionRow): boolean =>
  status === 'past_due' && cancelAtPeriodEnd && canceledAt !== null && pastDueAt !== null && canceledAt >= pastDueAt
