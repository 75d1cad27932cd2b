import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { createFindHandler, createRenewHandler, scheduleRenewals } from './renew.service.ts'
import { nextAction } from './renewal.repository.ts'

export const feature = {
  name: 'subscriptions',
  isOn: isBillingServed,
  jobs: { 'find-renewals': createFindHandler, 'renew-subscriptions': createRenewHandler },
  recurring: scheduleRenewals,
  nextDue: ({ db }) => nextAction(db),
} as const satisfies Feature
