import { isBillingServed } from '../../foundation/config/config.ts'
import type { Feature } from '../../foundation/http/feature.ts'

/** Billing as a whole: its API and its pages. Each of its folders has a value of its own. */
export const feature = { name: 'billing', isOn: isBillingServed } as const satisfies Feature
