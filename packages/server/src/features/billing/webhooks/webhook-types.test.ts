import { type AuditRow, accountEvents, organizationEvents, webhookEventTypes } from '@tollgate/contract/events'
import { expect, test } from 'vitest'
import { isFor, isWebhookType } from './webhook-types.ts'

test('no endpoint can ask for an event that the table does not send', () => {
  const notSent = Object.entries<AuditRow>({ ...accountEvents, ...organizationEvents }).filter(([, row]) => row.notSent)

  expect(notSent.length).toBeGreaterThan(20)
  for (const [type] of notSent) expect([type, isWebhookType(type)]).toEqual([type, false])
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
