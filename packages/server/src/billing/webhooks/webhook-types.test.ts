import { type WebhookEventType, webhookEventTypes } from '@tollgate/contract/billing'
import { expect, test } from 'vitest'
import type { EventType } from '../../outbox.ts'
import { isFor, isWebhookType } from './webhook-types.ts'

/** What is recorded and told to nobody, and why; a new kind of event is either told, or stands here. */
const untold: Readonly<Record<Exclude<EventType, WebhookEventType>, string>> = {
  'job.retried': 'work of the server itself',
  'job.removed': 'work of the server itself',
  'organization.approved': 'a decision of the installation, which is told as organization.updated',
  'organization.selling_stopped': 'a decision of the installation, which is told as organization.updated',
  'access_token.created': 'for the audit log',
  'access_token.updated': 'for the audit log',
  'access_token.deleted': 'for the audit log',
  'webhook_endpoint.created': 'for the audit log',
  'webhook_endpoint.updated': 'for the audit log',
  'webhook_endpoint.secret_rotated': 'for the audit log',
  'webhook_endpoint.enabled': 'for the audit log',
  'webhook_endpoint.disabled': 'for the audit log, and by mail',
  'webhook_endpoint.deleted': 'for the audit log',
  'role.created': 'what roles allow is nobody else’s business',
  'role.updated': 'what roles allow is nobody else’s business',
  'role.deleted': 'what roles allow is nobody else’s business',
  'invitation_link.created': 'what comes of it is told as member.added',
  'invitation_link.revoked': 'what came of it was told as member.added',
  'join_request.created': 'what comes of it is told as member.added',
  'join_request.approved': 'told as member.added',
  'join_request.denied': 'nothing comes of it',
  'domain.added': 'what comes of it is told as member.added',
  'domain.verified': 'what comes of it is told as member.added',
  'domain.updated': 'what comes of it is told as member.added',
  'domain.removed': 'what came of it was told as member.added',
}

test('of what is not told no endpoint can ask', () => {
  for (const type of Object.keys(untold)) expect([type, isWebhookType(type)]).toEqual([type, false])
})

const everything = { organizationId: 'own', events: webhookEventTypes }
const event = { type: 'organization.updated', merchantId: null, organizationId: 'own' }

test.each([
  ['an organization of its own changes', 'own', false, true],
  ['another organization changes', 'other', false, false],
  ['another organization changes, for the installation', 'other', true, true],
])('whether an endpoint hears when %s', (_, organizationId, coversInstallation, isTold) => {
  expect(isFor({ ...everything, coversInstallation }, { ...event, organizationId })).toBe(isTold)
})
