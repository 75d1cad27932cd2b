import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { forgottenBefore } from '../events.ts'
import { createWebhookHandler } from './deliver.service.ts'
import { foreseeEvents, tellEndpoints } from './fan-out.service.ts'
import { sendSkippedBefore } from './skipped-before.service.ts'
import { forgetDeliveries } from './webhook.service.ts'
import { sealedFor } from './webhook-view.ts'

export const feature = {
  name: 'webhooks',
  isOn: isBillingServed,
  jobs: { 'webhook-endpoint': createWebhookHandler },
  // Replaced secrets sign for one more day only.
  sealed: [{ table: 'webhookEndpoint', column: 'sealedSecret', purpose: sealedFor }],
  sweep: async (ctx, now) => {
    await sendSkippedBefore(ctx, now)
    await forgetDeliveries(ctx, forgottenBefore(ctx, now))
  },
  beforeEvents: foreseeEvents,
  onEvents: tellEndpoints,
} as const satisfies Feature
