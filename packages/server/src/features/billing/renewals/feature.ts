import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { createBeginRenewalsHandler } from './missed-periods.service.ts'

export const feature = {
  name: 'renewals',
  isOn: isBillingServed,
  jobs: { 'begin-renewals': createBeginRenewalsHandler },
} as const satisfies Feature
