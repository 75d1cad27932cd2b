import type { LinePeriod, OrderLine } from './compute-order.ts'
import { anchorDayOf, type Cycle, periodEnd } from './period.ts'
import { type PeriodPrice, prorate } from './proration.ts'

/** How a change of a subscription is billed (contract, SUB-6 to SUB-8, SUB-23). */
export type ChangeBehavior = 'invoice' | 'prorate' | 'next_period' | 'reset'

/** One side of a change: its cycle, and its prices for a full period. */
export type Terms = {
  readonly cycle: Cycle
  /** Before discounts. */
  readonly lines: (period: LinePeriod) => readonly OrderLine[]
  /** Net of the discount that the running period was billed with (SUB-22). */
  readonly prices: readonly PeriodPrice[]
}

export type ChangeInputs = {
  readonly old: Terms
  readonly next: Terms
  /** The running period. */
  readonly period: LinePeriod
  readonly behavior: ChangeBehavior
  readonly now: Date
  /** Nothing is paid for the running period, so nothing is credited or billed, and it ends as before (SUB-25). */
  readonly isOnTrial?: boolean
}

/** When a change applies, and the lines that it bills now or leaves for the next order. */
export type ChangePlan =
  | { readonly applies: 'next_period'; readonly at: Date }
  | {
      readonly applies: 'now'
      /** Billed with the change. Undefined where the lines wait for the next order. */
      readonly billed: readonly OrderLine[] | undefined
      readonly waits: readonly OrderLine[]
      /** The new period, where the change begins one. */
      readonly restart: (LinePeriod & { readonly anchorDay: number }) | undefined
    }

/** Plans a change: pure, from both terms and the moment alone. */
export function planChange({ old, next, period, behavior, now, isOnTrial }: ChangeInputs): ChangePlan {
  if (behavior === 'next_period') return { applies: 'next_period', at: period.end }
  if (isOnTrial) return { applies: 'now', billed: undefined, waits: [], restart: undefined }
  const isOtherCycle = old.cycle.interval !== next.cycle.interval || old.cycle.count !== next.cycle.count
  if (behavior === 'reset' || isOtherCycle) {
    const anchorDay = anchorDayOf(now)
    const restart = { start: now, end: periodEnd(now, next.cycle, anchorDay), anchorDay }
    const credits = behavior === 'reset' ? [] : prorate({ old: old.prices, next: [] }, period, now)
    return { applies: 'now', billed: [...credits, ...next.lines(restart)], waits: [], restart }
  }
  const lines = prorate({ old: old.prices, next: next.prices }, period, now)
  return behavior === 'invoice'
    ? { applies: 'now', billed: lines, waits: [], restart: undefined }
    : { applies: 'now', billed: undefined, waits: lines, restart: undefined }
}

/** Average months of a cycle, to compare what plans of different cycles cost (SUB-27). */
export const monthsOf = ({ interval, count }: Cycle): number => monthsBy[interval] * count

const monthsBy = { day: 12 / 365.25, week: (12 * 7) / 365.25, month: 1, year: 12 } as const
