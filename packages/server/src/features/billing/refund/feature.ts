import type { Feature } from '../../../foundation/feature.ts'
import { createReconcileRefundHandler } from './reconcile-refund.service.ts'

export const feature: Feature = {
  jobs: { 'reconcile-refund': createReconcileRefundHandler },
}
