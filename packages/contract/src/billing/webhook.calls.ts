import type { BillingCall } from './call.ts'

/** Where an organization is told what happens, and what has been told. */
export const webhookCalls = {
  listWebhookEndpoints: { method: 'GET', path: '/webhooks/endpoints', auth: 'seller', scope: 'webhooks:read' },
  createWebhookEndpoint: {
    method: 'POST',
    path: '/webhooks/endpoints',
    auth: 'seller',
    scope: 'webhooks:write',
    status: 201,
    own: true,
  },
  getWebhookEndpoint: { method: 'GET', path: '/webhooks/endpoints/:id', auth: 'seller', scope: 'webhooks:read' },
  updateWebhookEndpoint: {
    method: 'PATCH',
    path: '/webhooks/endpoints/:id',
    auth: 'seller',
    scope: 'webhooks:write',
    own: true,
  },
  deleteWebhookEndpoint: {
    method: 'DELETE',
    path: '/webhooks/endpoints/:id',
    auth: 'seller',
    scope: 'webhooks:write',
    status: 204,
    own: true,
  },
  rotateWebhookSecret: {
    method: 'PATCH',
    path: '/webhooks/endpoints/:id/secret',
    auth: 'seller',
    scope: 'webhooks:write',
    own: true,
  },
  testWebhookEndpoint: {
    method: 'POST',
    path: '/webhooks/endpoints/:id/test',
    auth: 'seller',
    scope: 'webhooks:write',
    status: 202,
  },
  replayWebhookEvents: {
    method: 'POST',
    path: '/webhooks/endpoints/:id/replay',
    auth: 'seller',
    scope: 'webhooks:write',
    status: 202,
  },
  listWebhookDeliveries: { method: 'GET', path: '/webhooks/deliveries', auth: 'seller', scope: 'webhooks:read' },
  getWebhookDelivery: { method: 'GET', path: '/webhooks/deliveries/:id', auth: 'seller', scope: 'webhooks:read' },
  redeliverWebhookEvent: {
    method: 'POST',
    path: '/webhooks/events/:id/redeliver',
    auth: 'seller',
    scope: 'webhooks:write',
    status: 202,
  },
} as const satisfies Record<string, BillingCall>
