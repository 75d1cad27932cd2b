import { periodEnd } from './period.ts'

/** How long a subscription's discount lasts. */
export type DiscountSpan = {
  readonly duration: string
  readonly durationInMonths: number | null
  /** When it first applied; its months count from here. Null before that. */
  readonly appliedAt: Date | null
}

/** Whether a discount applies to the period that begins at `start` (SUB-11). */
export function discountHolds({ duration, durationInMonths, appliedAt }: DiscountSpan, start: Date): boolean {
  if (duration === 'forever' || appliedAt === null) return true
  if (duration !== 'repeating' || durationInMonths === null) return false
  if (durationInMonths === 1) return start <= appliedAt
  const last = periodEnd(appliedAt, { interval: 'month', count: durationInMonths - 1 }, appliedAt.getUTCDate())
  return start <= last
}
