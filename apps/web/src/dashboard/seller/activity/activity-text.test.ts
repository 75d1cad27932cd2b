import { type EventKind, timelineRows } from '@tollgate/contract/events'
import { expect, test } from 'vitest'
import { activityWords } from './activity.texts.ts'
import { byDay, sentenceOf, toneOf, typesOf } from './activity-text.ts'

test('every sentence can be said, whatever is known of the event', () => {
  const everything = {
    customer: 'Ada Lovelace',
    product: 'Atlas',
    amount: 1900,
    currency: 'usd',
    number: 'SHOP-1',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
  }

  for (const type of Object.keys(timelineRows))
    for (const data of [everything, { amount: 1900 }, { customer: 7 }, {}, null])
      for (const one of [{ id: 'x', name: 'Ada' }, { id: 'x', name: null }, null])
        expect([type, sentenceOf({ type, data, user: one, organization: one })]).toEqual([
          type,
          expect.stringMatching(/^(?!something|an? |the |another )\w((?!undefined|null| {2}).)+\w$/),
        ])
})

test('a sentence says who, what and how much', () => {
  const data = { customer: 'Ada Lovelace', product: 'Atlas', amount: 1900, currency: 'usd', number: 'SHOP-1' }

  expect(sentenceOf({ type: 'order.paid', data, user: null, organization: null })).toBe(
    'Ada Lovelace paid for Atlas: $19.00',
  )
  const lost = { ...data, status: 'lost' }
  expect(sentenceOf({ type: 'dispute.updated', data: lost, user: null, organization: null })).toBe(
    'The dispute about $19.00 was lost',
  )
  expect(sentenceOf({ type: 'refund.updated', data: lost, user: null, organization: null })).toBe(
    'The refund of $19.00 changed',
  )
  expect(sentenceOf({ type: 'order.paid', data: null, user: null, organization: null })).toBe(
    'A buyer paid for a product',
  )
  expect(sentenceOf({ type: 'order.refunded', data, user: null, organization: null })).toBe(
    'The order SHOP-1 has been refunded: $19.00 so far',
  )
  expect(
    sentenceOf({ type: 'customer.created', data: { email: 'ada@example.com' }, user: null, organization: null }),
  ).toBe('ada@example.com became a customer')
  expect(sentenceOf({ type: 'session.created', data: null, user: { id: 'x', name: null }, organization: null })).toBe(
    'An unknown user signed in',
  )
  expect(sentenceOf({ type: 'passkey.added', data: null, user: null, organization: null })).toBe('passkey.added')
  expect(sentenceOf({ type: 'constructor', data: null, user: null, organization: null })).toBe('constructor')
})

const ada = { id: 'x', name: 'Ada' }
const acme = { id: 'y', name: 'Acme' }
test.each([
  ['member.added', {}, null, 'Ada joined the organization'],
  ['member.added', {}, acme, 'Ada joined the organization Acme'],
  ['member.added', {}, { id: 'y', name: null }, 'Ada joined another organization'],
  ['member.role_changed', { before: 'member', after: 'admin' }, acme, 'The role of Ada in Acme changed: admin'],
  ['team_member.added', { name: 'Design' }, null, 'Ada was added to the team Design'],
  ['team_member.removed', { name: 'Design' }, acme, 'Ada was removed from the team Design in Acme'],
  ['team.created', { name: 'Design' }, null, 'The team Design was created'],
  ['team.created', {}, acme, 'A team was created in Acme'],
  ['organization.created', { name: 'Acme', slug: 'acme' }, acme, 'The organization Acme was created'],
  [
    'organization.deleted',
    { name: 'Acme', slug: 'acme' },
    { id: 'y', name: null },
    'The organization Acme was deleted',
  ],
  ['organization.created', { name: 'Shop', slug: 'shop' }, null, 'The organization was created'],
  ['access_token.created', { comment: 'Website', lastFour: '1234' }, null, 'The access token Website was created'],
  ['access_token.deleted', { comment: '' }, null, 'An access token was deleted'],
  ['webhook_endpoint.disabled', { name: null, host: 'a.example' }, null, 'The webhook a.example was disabled'],
  ['role.updated', { role: 'seller' }, null, 'The permissions of the role seller changed'],
  ['domain.verified', { domain: 'acme.example' }, acme, 'The domain acme.example was verified in Acme'],
  [
    'invitation.canceled',
    { email: 'b@acme.example' },
    acme,
    'The invitation of b@acme.example to the organization Acme was canceled',
  ],
])('%s of %j names what, who and where', (type, data, organization, sentence) => {
  expect(sentenceOf({ type, data, user: ada, organization })).toBe(sentence)
})

test('every event has a line, and every line an event', () => {
  const types = Object.entries(activityWords.lines).flatMap(([object, lines]) =>
    Object.keys(lines).map((name) => `${object}.${name}`),
  )

  expect(types.toSorted()).toEqual(Object.keys(timelineRows).toSorted())
})

test('every type is of one kind, and no kind is more than the server takes at once', () => {
  const kinds = Object.keys(activityWords.kinds) as EventKind[]

  expect(kinds.flatMap(typesOf).toSorted()).toEqual(Object.keys(timelineRows).toSorted())
  for (const kind of kinds) {
    expect([kind, typesOf(kind).length]).toEqual([kind, expect.any(Number)])
    expect(typesOf(kind).length).toBeGreaterThan(0)
    expect(typesOf(kind).length).toBeLessThanOrEqual(100)
  }
  expect(typesOf('refunds')).toEqual(['refund.created', 'refund.updated', 'dispute.created', 'dispute.updated'])
})

test('what is lost stands out, and what has to be looked at', () => {
  expect(['dispute.created', 'refund.created', 'subscription.canceled', 'order.paid'].map(toneOf)).toEqual([
    'danger',
    'warn',
    'warn',
    'plain',
  ])
})

test('events stand below their days', () => {
  const at = (time: string) => ({ createdAt: `2026-03-${time}:00.000Z` })
  const events = [at('02T10:00'), at('02T09:00'), at('01T23:00')]

  expect(byDay(events, (time) => time.slice(0, 10))).toEqual([
    { day: '2026-03-02', events: events.slice(0, 2) },
    { day: '2026-03-01', events: events.slice(2) },
  ])
  expect(byDay([], () => '')).toEqual([])
})
