import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'

export const feature = {
  name: 'live',
  isOn: isBillingServed,
  onClose: async ({ live }) => live.close(),
} as const satisfies Feature
