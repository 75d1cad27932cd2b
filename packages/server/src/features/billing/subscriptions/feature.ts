import { after } from '../../../foundation/clock.ts'
import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { sweepPeriod } from '../../../foundation/jobs.ts'
import { createCardNoticeHandler, nextCardNotice, scheduleCardNotices } from './card-expiry.service.ts'
import { createFindHandler, createRenewHandler, scheduleRenewals } from './renew.service.ts'
import { nextAction } from './renewal.repository.ts'
import { createRetryHandler } from './retry-past-due.service.ts'

export const feature = {
  name: 'subscriptions',
  isOn: isBillingServed,
  jobs: {
    'find-renewals': createFindHandler,
    'renew-subscriptions': createRenewHandler,
    'retry-past-due': createRetryHandler,
    'tell-card-expiry': createCardNoticeHandler,
  },
  nextDue: async (ctx) => {
    const moments = await Promise.all([nextAction(ctx.db), nextCardNotice(ctx)])
    // What is due already must not hide what comes next.
    const ahead = moments.filter((moment) => moment !== undefined).filter((moment) => moment > ctx.clock.now())
    return ahead.sort((a, b) => a.getTime() - b.getTime())[0]
  },
  sweep: async (ctx, now) => {
    const nextSweep = after(now, sweepPeriod)
    await scheduleRenewals(ctx, nextSweep)
    await scheduleCardNotices(ctx, nextSweep)
  },
} as const satisfies Feature
