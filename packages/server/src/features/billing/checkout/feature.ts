import { after } from '../../../foundation/clock.ts'
import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { sweepPeriod } from '../../../foundation/jobs.ts'
import { nextCheckoutExpiry } from './checkout.repository.ts'
import { createCheckoutExpiryHandler, forgetVisits, scheduleCheckoutExpiry } from './checkout-expiry.service.ts'
import { sealedFor } from './checkout-view.ts'

export const feature = {
  name: 'checkout',
  isOn: isBillingServed,
  jobs: { 'expire-checkouts': createCheckoutExpiryHandler },
  sealed: [{ table: 'checkout', column: 'sealedClientSecret', purpose: sealedFor }],
  nextDue: async ({ db }) => [await nextCheckoutExpiry(db)],
  async sweep(ctx, now) {
    await forgetVisits(ctx)
    await scheduleCheckoutExpiry(ctx, after(now, sweepPeriod))
  },
} as const satisfies Feature
