import type { SchedulePhase, SubscriptionSchedule } from '../../../foundation/db/tables/order.ts'
import { type Cycle, periodEnd } from '../engine/period.ts'

/*
 * The steps of a schedule: pure. A step is made at each end of a period, with the period that begins there.
 */

/** What a period that begins makes of a schedule; null once its last phase has begun, because nothing is left to plan. */
export type ScheduleStep = {
  readonly schedule: SubscriptionSchedule | null
  /** The phase that begins with the period; undefined where the running one goes on. */
  readonly begins: SchedulePhase | undefined
}

/** Makes the step of the period that begins at `start`. */
export function stepOf(schedule: SubscriptionSchedule, start: Date): ScheduleStep {
  const next = schedule.phases.findIndex(({ beganAt }) => beganAt === null)
  const begins = schedule.phases[next]
  // A schedule is null once its last phase has begun.
  if (!begins || !isOver(schedule, schedule.phases[next - 1], start))
    return { schedule: { ...schedule, periods: schedule.periods + 1 }, begins: undefined }
  const begun = { ...begins, beganAt: start.toISOString() }
  const isLast = next === schedule.phases.length - 1
  return {
    schedule: isLast ? null : { ...schedule, phases: schedule.phases.with(next, begun), periods: 1 },
    begins,
  }
}

/** Whether the running phase, if there is one, ends where a period begins. It lasts for one period at least. */
function isOver({ periods }: SubscriptionSchedule, running: SchedulePhase | undefined, start: Date): boolean {
  if (!running) return true
  if (running.periods !== null) return periods >= running.periods
  return running.until !== null && start >= new Date(running.until)
}

/** When the phases to come begin if nothing else changes: a moment for each, in order. */
export function comingBegins(
  schedule: SubscriptionSchedule,
  {
    currentPeriodEnd,
    recurringInterval,
    anchorDay,
  }: {
    readonly currentPeriodEnd: Date
    readonly recurringInterval: Cycle['interval']
    readonly anchorDay: number
  },
): Date[] {
  const begins: Date[] = []
  let interval = recurringInterval
  let left: SubscriptionSchedule | null = schedule
  for (let start = currentPeriodEnd; left; start = periodEnd(start, { interval, count: 1 }, anchorDay)) {
    const step: ScheduleStep = stepOf(left, start)
    if (step.begins) {
      begins.push(start)
      interval = step.begins.recurringInterval
    }
    left = step.schedule
  }
  return begins
}
