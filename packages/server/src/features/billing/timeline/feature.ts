import { after, days } from '../../../foundation/clock.ts'
import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { forgetSalesEvents } from './retention.service.ts'

export const feature = {
  name: 'timeline',
  isOn: isBillingServed,
  async sweep(ctx, now) {
    const { billing } = ctx.config
    if (billing === false) return
    await forgetSalesEvents(ctx, after(now, -days(Number.parseInt(billing.events.retention, 10))))
  },
} as const satisfies Feature
