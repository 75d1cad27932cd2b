import { defineResource } from '../../resource.ts'
import { texts } from '../../texts.ts'

export const webhooks = defineResource({
  path: 'webhooks',
  permission: 'webhook',
  create: { to: '/dashboard/$slug/webhooks/new', label: texts.commands.newWebhook },
  call: 'listWebhookEndpoints',
  key: 'webhooks',
  sorts: ['-created', 'created', 'url', '-url'],
  fields: { created: 'created_at', url: 'url' },
  filters: {},
})
