import { after, days } from '../../../foundation/clock.ts'
import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { createWebhookHandler } from './deliver.service.ts'
import { tellEndpoints } from './fan-out.service.ts'
import { forgetDeliveries } from './webhook.service.ts'

/** Webhook deliveries with their responses. */
const deliveriesKeptFor = days(30)

export const feature = {
  name: 'webhooks',
  isOn: isBillingServed,
  jobs: { 'webhook-endpoint': createWebhookHandler },
  sweep: (ctx, now) => forgetDeliveries(ctx, after(now, -deliveriesKeptFor)),
  onEvents: tellEndpoints,
} as const satisfies Feature
