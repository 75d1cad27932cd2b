import { after } from '../../../foundation/clock.ts'
import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { sweepPeriod } from '../../../foundation/jobs.ts'
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
  },
  nextDue: ({ db }) => nextAction(db),
  sweep: (ctx, now) => scheduleRenewals(ctx, after(now, sweepPeriod)),
} as const satisfies Feature
