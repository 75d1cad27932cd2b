import { webhookEventTypes } from '@tollgate/contract/billing'
import { expect, test } from 'vitest'
import { eventNames } from '../admin/event-text.ts'
import { activityWords, sentences } from './activity.texts.ts'
import { byDay, type Kind, sentenceOf, toneOf, typesOf } from './activity-text.ts'

test('every type of event has a sentence', () => {
  // Those of the audit log are compared with the server's own list where the names are (e2e/admin.test.ts).
  const types = [...webhookEventTypes, ...Object.keys(eventNames)]

  // Endpoints alone are told by this name; it stands in no log.
  expect(types.filter((type) => !Object.hasOwn(sentences, type))).toEqual(['organization.changed'])
})

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

  for (const type of Object.keys(sentences))
    for (const data of [everything, { amount: 1900 }, { customer: 7 }, {}, null])
      for (const user of [{ id: 'x', name: 'Ada' }, { id: 'x', name: null }, null])
        expect([type, sentenceOf({ type, data, user })]).toEqual([
          type,
          expect.stringMatching(/^(?!somebody|something)\w((?!undefined|null| {2}).)+\w$/),
        ])
})

test('a sentence says who, what and how much', () => {
  const data = { customer: 'Ada Lovelace', product: 'Atlas', amount: 1900, currency: 'usd', number: 'SHOP-1' }

  expect(sentenceOf({ type: 'order.paid', data, user: null })).toBe('Ada Lovelace paid for Atlas: $19.00')
  const lost = { ...data, status: 'lost' }
  expect(sentenceOf({ type: 'dispute.updated', data: lost, user: null })).toBe('The dispute about $19.00 was lost')
  expect(sentenceOf({ type: 'refund.updated', data: lost, user: null })).toBe('The refund of $19.00 changed')
  expect(sentenceOf({ type: 'order.paid', data: null, user: null })).toBe('A buyer paid for a product')
  expect(sentenceOf({ type: 'order.refunded', data, user: null })).toBe(
    'Of the order SHOP-1 $19.00 has been given back by now',
  )
  expect(sentenceOf({ type: 'customer.created', data: { email: 'ada@example.com' }, user: null })).toBe(
    'ada@example.com became a customer',
  )
  expect(sentenceOf({ type: 'session.created', data: null, user: { id: 'x', name: null } })).toBe('Somebody signed in')
  expect(sentenceOf({ type: 'passkey.added', data: null, user: null })).toBe('passkey.added')
  expect(sentenceOf({ type: 'constructor', data: null, user: null })).toBe('constructor')
})

test('every type is of one kind, and no kind is more than the server takes at once', () => {
  const kinds = Object.keys(activityWords.kinds) as Kind[]

  expect(kinds.flatMap(typesOf).toSorted()).toEqual(Object.keys(sentences).toSorted())
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
