import { isUnknownToSdk, webhookEventTypes } from '@tollgate/contract/events'
import { expect, test } from 'vitest'
import { FieldErrors } from '../../parts/field-errors.ts'
import { bodyOf, newWebhook, type WebhookDraft } from './webhook-draft.ts'
import { billingTypes, groupsOf, offeredTypes, withType } from './webhook-events.ts'

const draft: WebhookDraft = { ...newWebhook(), url: ' https://example.com/hooks ', name: ' ', events: ['order.paid'] }

test('a body has no blanks around, and no name where none is given', () => {
  expect(bodyOf(draft, false)).toEqual({
    url: 'https://example.com/hooks',
    name: null,
    format: 'raw',
    events: ['order.paid'],
  })
})

test('only administrators say whether it covers the installation', () => {
  expect(bodyOf(draft, true)).toHaveProperty('coversInstallation', false)
  expect(bodyOf({ ...draft, coversInstallation: true }, true)).toHaveProperty('coversInstallation', true)
})

test('what every receiver of billing understands has none of the types at which the SDK throws', () => {
  expect(billingTypes).toContain('refund.updated')
  expect(billingTypes.filter((type) => /^dispute|expired$/.test(type))).toEqual([])
  expect(offeredTypes({ chosen: [], coversInstallation: false, readsAudit: true }).filter(isUnknownToSdk)).toContain(
    'dispute.created',
  )
})

test('accounts are told of the whole installation only', () => {
  const events = ['order.paid', 'user.created'] as const
  expect(bodyOf({ ...draft, events }, true).events).toEqual(['order.paid'])
  expect(bodyOf({ ...draft, events, coversInstallation: true }, true).events).toEqual(events)
})

test('what is wrong with several fields is said of all at once', () => {
  expect(() => bodyOf({ ...draft, url: '', events: [] }, false)).toThrow(
    expect.objectContaining({ messages: new Map(['url', 'events'].map((field) => [field, expect.any(String)])) }),
  )
})

test.each([
  [{ url: 'example.com' }, 'url'],
  [{ url: 'ftp://example.com' }, 'url'],
  [{ url: 'https://' }, 'url'],
  [{ events: [] }, 'events'],
  [{ events: ['user.created'] }, 'events'],
] as const)('%j is refused beside its field', (changes, field) => {
  const attempt = () => bodyOf({ ...draft, ...changes }, false)
  expect(attempt).toThrow(FieldErrors)
  try {
    attempt()
  } catch (error) {
    expect([...(error instanceof FieldErrors ? error.messages.keys() : [])]).toEqual([field])
  }
})

test('events are offered by what they are about, and found by a part of their name or subject', () => {
  const types = offeredTypes({ chosen: [], coversInstallation: false, readsAudit: true })
  const groups = groupsOf(types, '')
  expect(groups.map(({ title }) => title).slice(0, 3)).toEqual(['Checkouts', 'Customers', 'Orders'])
  expect(new Set(groups.flatMap((group) => group.types)).size).toBe(types.length)
  expect(groupsOf(types, 'PAID')).toEqual([{ title: 'Orders', types: ['order.paid'] }])
  expect(groupsOf(types, 'invitations').map(({ title }) => title)).toEqual(['Invitations'])
  expect(groupsOf(types, 'nothing')).toEqual([])
})

test('what nothing causes yet is offered only where it was chosen, and accounts only to the installation', () => {
  expect(offeredTypes({ chosen: [], coversInstallation: false, readsAudit: true })).not.toContain('benefit.created')
  expect(offeredTypes({ chosen: ['benefit.created'], coversInstallation: false, readsAudit: true })).toContain(
    'benefit.created',
  )
  expect(offeredTypes({ chosen: [], coversInstallation: false, readsAudit: true })).not.toContain('user.created')
  expect(offeredTypes({ chosen: [], coversInstallation: true, readsAudit: true })).toContain('user.created')
  expect(offeredTypes({ chosen: [], coversInstallation: false, readsAudit: false })).not.toContain('member.added')
  expect(billingTypes).toContain('organization.updated')
})

test('an event is chosen once, and taken away', () => {
  expect(withType(['order.paid'], 'order.paid', true)).toEqual(['order.paid'])
  expect(withType(['order.paid', 'order.created'], 'order.paid', false)).toEqual(['order.created'])
})

test('every type can be offered, below a title', () => {
  const types = offeredTypes({ chosen: webhookEventTypes, coversInstallation: true, readsAudit: true })

  expect(types).toEqual(webhookEventTypes)
  expect(groupsOf(types, '').map(({ title }) => title)).not.toContain(undefined)
})
