import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { forgottenBefore } from '../events.ts'
import { forgetSalesEvents } from './retention.service.ts'

export const feature = {
  name: 'timeline',
  isOn: isBillingServed,
  sweep: (ctx, now) => forgetSalesEvents(ctx, forgottenBefore(ctx, now)),
} as const satisfies Feature
