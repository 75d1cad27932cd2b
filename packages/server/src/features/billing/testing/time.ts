import { hours } from '../../../foundation/clock.ts'
import type { TestServer } from '../../../testing.ts'
import { moveClock } from '../../dev/move-clock.ts'

/** Lets a time pass on a server; all that falls due in it happens at its own moment. */
export function pass(server: TestServer, time: number): Promise<boolean> {
  const { ctx } = server.tollgate.internals
  return moveClock(ctx, new Date(ctx.clock.now().getTime() + time))
}

/** Lets the time until two hours after a moment pass: a renewal is found within an hour, where others fall due before it. */
export const passTo = (server: TestServer, moment: string): Promise<boolean> =>
  moveClock(server.tollgate.internals.ctx, new Date(new Date(moment).getTime() + hours(2)))
