import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { createReconcileRefundHandler } from './reconcile-refund.service.ts'

export const feature = {
  name: 'refund',
  isOn: isBillingServed,
  jobs: { 'reconcile-refund': createReconcileRefundHandler },
} as const satisfies Feature
