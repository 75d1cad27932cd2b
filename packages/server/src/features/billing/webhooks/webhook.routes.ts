import type { webhookCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { replayWebhookEvents } from './replay.service.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './webhook.service.ts'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhookEvent,
  testWebhookEndpoint,
} from './webhook-delivery.service.ts'

/** Each call of the contract and the service that does it. */
export const webhookRoutes: BillingRoutes<typeof webhookCalls> = {
  listWebhookEndpoints: ({ ctx, seller, current, query }) => listWebhookEndpoints(ctx, { seller, current }, query),
  createWebhookEndpoint: ({ ctx, seller, current, caller, body }) =>
    createWebhookEndpoint(ctx, { seller, current }, caller, body),
  getWebhookEndpoint: ({ ctx, seller, current, params }) => getWebhookEndpoint(ctx, { seller, current }, params.id),
  updateWebhookEndpoint: ({ ctx, seller, current, params, body }) =>
    updateWebhookEndpoint(ctx, { seller, current }, params.id, body),
  deleteWebhookEndpoint: ({ ctx, seller, current, params }) =>
    deleteWebhookEndpoint(ctx, { seller, current }, params.id),
  rotateWebhookSecret: ({ ctx, seller, current, params }) => rotateWebhookSecret(ctx, { seller, current }, params.id),
  testWebhookEndpoint: ({ ctx, seller, current, params, body }) =>
    testWebhookEndpoint(ctx, { seller, current }, params.id, body),
  replayWebhookEvents: ({ ctx, seller, current, params, body }) =>
    replayWebhookEvents(ctx, { seller, current }, params.id, body),
  listWebhookDeliveries: ({ ctx, seller, current, query }) => listWebhookDeliveries(ctx, { seller, current }, query),
  getWebhookDelivery: ({ ctx, seller, current, params }) => getWebhookDelivery(ctx, { seller, current }, params.id),
  redeliverWebhookEvent: ({ ctx, seller, current, params, body }) =>
    redeliverWebhookEvent(ctx, { seller, current }, params.id, body),
}
