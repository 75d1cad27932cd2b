import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { createProcessorEventHandler } from './processor-event.service.ts'

export const feature = {
  name: 'processorEvents',
  isOn: isBillingServed,
  jobs: { 'processor-event': createProcessorEventHandler },
} as const satisfies Feature
