import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { createChargeHandler } from './off-session.service.ts'
import { createReconcileHandler } from './reconcile.service.ts'

export const feature = {
  name: 'settlement',
  isOn: isBillingServed,
  jobs: { 'charge-payment': createChargeHandler, 'reconcile-payment': createReconcileHandler },
} as const satisfies Feature
