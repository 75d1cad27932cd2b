import { after, days } from '../../../foundation/clock.ts'
import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { deleteEventsBefore } from './processor.repository.ts'
import { deleteExpiredTokens } from './sandbox.repository.ts'
import { createLookBackHandler, scheduleLookBack } from './stripe-look-back.service.ts'

/** Processors redeliver an event for a few days; a later redelivery is looked up again and changes nothing. */
const eventsKeptFor = days(30)

export const feature = {
  name: 'payments',
  isOn: isBillingServed,
  async recurring(ctx) {
    if (ctx.config.stripe) await ctx.transaction((tx) => scheduleLookBack(tx, ctx.clock.now()))
  },
  jobs: { 'read-stripe-events': createLookBackHandler },
  sweep: (ctx, now) =>
    ctx.transaction(async (tx) => {
      await deleteExpiredTokens(tx, now)
      await deleteEventsBefore(tx, after(now, -eventsKeptFor))
    }),
} as const satisfies Feature
