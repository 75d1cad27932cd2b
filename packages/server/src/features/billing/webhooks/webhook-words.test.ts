import { webhookEventTypes } from '@tollgate/contract/events'
import { expect, test } from 'vitest'
import { bodyOf } from './webhook-body.ts'
import { examplePayload } from './webhook-example.ts'
import { wordsOf } from './webhook-words.ts'

const place = { origin: 'https://auth.example.com', organizationSlug: 'northwind' }
const dashboard = 'https://auth.example.com/dashboard/northwind'
const told = (type: string, object: unknown) => wordsOf(type, JSON.stringify(object), place)
const line = (type: string, object: unknown) => {
  const { sentence, details } = told(type, object)
  return [sentence, ...details].join(' · ')
}

const customer = { name: 'Ada Lovelace', email: 'ada@example.com' }
const money = { currency: 'usd', amount: 4900, tax_amount: 931 }
const order = {
  id: 'o1',
  ...money,
  total_amount: 5831,
  customer,
  product: { name: 'Atlas' },
  invoice_number: 'N-1',
  billing_reason: 'purchase',
  status: 'paid',
}
const subscription = {
  id: 's1',
  amount: 1900,
  currency: 'eur',
  recurring_interval: 'month',
  recurring_interval_count: 1,
  customer,
  product: { name: 'Pro' },
  status: 'active',
}
const refund = { id: 'r1', order_id: 'o1', currency: 'usd', amount: 500, tax_amount: 95, reason: 'customer_request' }
const dispute = { id: 'd1', order_id: 'o1', ...money, reason: 'fraudulent', status: 'needs_response' }
const people = {
  user_id: 'u1',
  user: { name: 'Grace Hopper', email: 'grace@example.com' },
  organization: { name: 'Acme', slug: 'acme' },
}

test.each([
  [
    'checkout.created',
    { ...order, id: 'c1', customer_email: 'ada@example.com' },
    'A checkout of Atlas was opened · $58.31 USD · $9.31 USD of which is tax · ada@example.com',
    '/payments?checkout=c1',
  ],
  [
    'checkout.updated',
    { ...order, status: 'confirmed', tax_amount: null },
    'A checkout of Atlas was confirmed and awaits payment · $58.31 USD · ada@example.com',
    '/payments?checkout=o1',
  ],
  ['customer.created', { id: 'k1', ...customer }, 'Ada Lovelace became a customer · ada@example.com', '/customers/k1'],
  [
    'customer.created',
    { id: 'k1', name: null, email: 'ada@example.com' },
    'ada@example.com became a customer',
    '/customers/k1',
  ],
  [
    'customer.state_changed',
    { id: 'k1', ...customer, active_subscriptions: [{}] },
    'Ada Lovelace now has 1 active subscription · ada@example.com',
    '/customers/k1',
  ],
  [
    'order.created',
    { ...order, status: 'pending' },
    'Ada Lovelace ordered Atlas · order N-1 · $58.31 USD · $9.31 USD of which is tax · not paid yet · ada@example.com',
    '/orders/o1',
  ],
  [
    'order.paid',
    { ...order, billing_reason: 'subscription_cycle' },
    'Ada Lovelace paid $58.31 USD for Atlas · order N-1 · $9.31 USD of which is tax · renewal · ada@example.com',
    '/orders/o1',
  ],
  [
    'order.paid',
    { ...order, total_amount: 0, tax_amount: 0 },
    'Ada Lovelace got Atlas for free · order N-1 · $0.00 USD · paid · ada@example.com',
    '/orders/o1',
  ],
  [
    'order.refunded',
    { ...order, refunded_amount: 500, refunded_tax_amount: 95, status: 'partially_refunded' },
    'Order N-1 of Ada Lovelace was refunded in part: $5.95 USD of $58.31 USD · ada@example.com',
    '/orders/o1',
  ],
  [
    'order.refunded',
    { ...order, refunded_amount: 4900, refunded_tax_amount: 931, status: 'refunded' },
    'Order N-1 of Ada Lovelace was refunded in full: $58.31 USD · ada@example.com',
    '/orders/o1',
  ],
  [
    'subscription.active',
    subscription,
    'The subscription of Ada Lovelace to Pro is active · €19.00 EUR before tax every month · ada@example.com',
    '/subscriptions/s1',
  ],
  [
    'subscription.canceled',
    { ...subscription, cancel_at_period_end: true, current_period_end: '2026-03-01T00:00:00.000Z' },
    'The subscription of Ada Lovelace to Pro was canceled, and ends on March 1, 2026 · €19.00 EUR before tax every month · active · ada@example.com',
    '/subscriptions/s1',
  ],
  [
    'refund.created',
    { ...refund, status: 'pending' },
    'A refund of $5.95 USD was started · $0.95 USD of which is tax · customer request',
    '/orders/o1',
  ],
  [
    'refund.updated',
    { ...refund, status: 'failed', failure_reason: 'The card is gone' },
    'The refund of $5.95 USD has failed · $0.95 USD of which is tax · customer request · The card is gone',
    '/orders/o1',
  ],
  [
    'dispute.created',
    { ...dispute, evidence_due_by: '2026-03-08T12:00:00.000Z' },
    'A buyer disputes a payment of $58.31 USD · $9.31 USD of which is tax · The cardholder says they did not make this payment · answer until March 8, 2026',
    '/orders/o1',
  ],
  [
    'dispute.updated',
    { ...dispute, status: 'lost' },
    'The dispute of $58.31 USD was lost · $9.31 USD of which is tax · The cardholder says they did not make this payment',
    '/orders/o1',
  ],
  [
    'product.updated',
    { id: 'p1', name: 'Atlas', is_archived: true },
    'The product Atlas has changed · archived',
    '/products/p1',
  ],
  [
    'organization.updated',
    { id: 'n1', name: 'Northwind' },
    'The seller settings of Northwind have changed',
    '/settings',
  ],
])('%s reads well, and leads to its page', (type, object, expected, path) => {
  expect(line(type, object)).toBe(expected)
  expect(told(type, object).link).toBe(dashboard + path)
})

test.each([
  [
    'member.added',
    { role: 'admin', by: null },
    'Grace Hopper joined Acme · admin · grace@example.com',
    '/org/acme/members',
  ],
  [
    'member.removed',
    { role: 'admin', left: true },
    'Grace Hopper left Acme · admin · grace@example.com',
    '/org/acme/members',
  ],
  [
    'invitation.created',
    { email: 'bob@example.com', role: 'member' },
    'bob@example.com was invited to Acme · member',
    '/org/acme/invitations',
  ],
  [
    'team_member.added',
    { name: 'Design' },
    'Grace Hopper was added to the team Design of Acme · grace@example.com',
    '/org/acme/teams',
  ],
  ['team.created', { name: 'Design' }, 'The team Design was created in Acme', '/org/acme/teams'],
  ['organization.changed', { fields: 'name' }, 'The organization Acme has changed', '/org/acme'],
  [
    'user.banned',
    { reason: 'spam', until: null },
    'Grace Hopper was banned · spam · grace@example.com',
    '/admin/users/u1',
  ],
  ['session.created', {}, 'Grace Hopper signed in · grace@example.com', '/admin/users/u1'],
])('%s names who and where', (type, details, expected, path) => {
  expect(line(type, { ...people, details })).toBe(expected)
  expect(told(type, { ...people, details }).link).toBe(place.origin + path)
})

test.each(webhookEventTypes)('the example of %s has no amount below nothing', (type) => {
  expect(examplePayload(type)).not.toMatch(/:-\d/)
})

test.each(webhookEventTypes)('%s is a sentence, whether or not its object is known', (type) => {
  for (const object of [
    JSON.parse(examplePayload(type)),
    {},
    { customer: 7, amount: '1', name: ['x'], details: null },
  ]) {
    const { sentence, details, link } = told(type, object)

    expect([sentence, ...details].join(' · ')).toMatch(/^(?!some)\w((?!undefined|null|NaN|\[object| {2}).)+\w$/)
    expect(sentence).toContain(' ')
    expect(link.startsWith(`${place.origin}/`)).toBe(true)
  }
})

test('an unknown type is shown by its name', () => {
  expect(told('passkey.added', { id: 'x' })).toEqual({ sentence: 'passkey.added', details: [], link: dashboard })
  expect(told('constructor', [])).toEqual({ sentence: 'constructor', details: [], link: dashboard })
})

const now = new Date('2026-03-01T12:00:00.000Z')
const sent = (format: 'discord' | 'slack', name: string) =>
  JSON.parse(
    bodyOf(format, { type: 'order.paid', createdAt: now, payload: JSON.stringify(named(name)) }, place).toString(),
  )
const named = (name: string) => ({ ...order, customer: { name, email: name }, product: { name }, invoice_number: name })

test.each([
  ['@everyone', 'said\\@everyone'],
  ['<@42> <!channel>', 'said\\<\\@42\\> \\<!channel\\>'],
  ['**bold** _it_ `code` ~~no~~ ||dark||', 'said\\*\\*bold\\*\\* \\_it\\_ \\`code\\` \\~\\~no\\~\\~ \\|\\|dark\\|\\|'],
  ['[bank](https://evil.example)', 'said\\[bank\\]\\(https\\:\\/\\/evil.example\\)'],
  ['# head\n> quote \\', 'said\\# head \\> quote \\\\'],
  ['\u202Egnp.exe\0', 'saidgnp.exe'],
])('Discord takes %j for nothing but a name', (name, expected) => {
  const { content, allowed_mentions } = sent('discord', `said${name}`)

  expect(content.startsWith(`**${expected} paid $58.31 USD for ${expected}**`)).toBe(true)
  expect(allowed_mentions).toEqual({ parse: [] })
})

test.each([
  ['<!channel> & <@U1>', 'said&lt;!channel&gt; &amp; &lt;@U1&gt;'],
  ['<https://evil.example|bank>', 'said&lt;https://evil.example|bank&gt;'],
  [' *bold* and_not_so', 'said \u200b*\u200bbold\u200b*\u200b and_not_so'],
  [' `code` ~no~', 'said \u200b`\u200bcode\u200b`\u200b \u200b~\u200bno\u200b~\u200b'],
])('Slack takes %j for nothing but a name, and makes no link of an address in it', (name, expected) => {
  const { text, blocks } = sent('slack', `said${name}`)

  expect(text.startsWith(`*${expected} paid $58.31 USD for ${expected}*`)).toBe(true)
  expect(blocks).toEqual([{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }])
})

test('the longest names leave room for the link', () => {
  const long = '*@'.repeat(500)

  const { content } = sent('discord', long)
  expect(content.length).toBeLessThanOrEqual(2000)
  expect(content.endsWith(` · <${dashboard}/orders/o1>`)).toBe(true)
  const { text } = sent('slack', long)
  expect(text.length).toBeLessThanOrEqual(3000)
  expect(text.endsWith(` <${dashboard}/orders/o1|Open>`)).toBe(true)
})
