import type { Feature } from '../../../foundation/feature.ts'
import { createProcessorEventHandler } from './processor-event.service.ts'

export const feature: Feature = {
  jobs: { 'processor-event': createProcessorEventHandler },
}
