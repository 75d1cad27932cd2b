import { after, days } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'

/** When the reminder of a trial's end is due; undefined where reminders are off. */
function reminderAt({ config }: Pick<Context, 'config'>, trialEnd: Date): Date | undefined {
  const ahead = config.billing === false ? 0 : config.billing.reminders.trialEnd
  return ahead === 0 ? undefined : after(trialEnd, -days(ahead))
}

/** When the engine acts on a trial next: at its reminder, or at its end where the reminder is not ahead any longer. */
export function nextTrialAction(ctx: Pick<Context, 'config' | 'clock'>, trialEnd: Date): Date {
  const reminder = reminderAt(ctx, trialEnd)
  return reminder && reminder > ctx.clock.now() ? reminder : trialEnd
}
