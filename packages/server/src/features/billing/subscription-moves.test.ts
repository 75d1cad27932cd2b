import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { billingSchemas } from '@tollgate/contract/billing-schemas'
import { expect, test } from 'vitest'
import { hiddenSubscriptionStatuses } from '../../foundation/db/tables/order.ts'
import { type SubscriptionStatus, subscriptionMoves } from './states.ts'

const source = path.join(import.meta.dirname, '../..')
const statuses: readonly SubscriptionStatus[] = [
  ...billingSchemas.getSubscription.output.shape.status.options,
  ...hiddenSubscriptionStatuses,
]

test('from each status a subscription moves as the billing contract has it', () => {
  const movesFrom = (status: SubscriptionStatus) =>
    Object.entries(subscriptionMoves).flatMap(([name, { from, to }]) =>
      from.some((each) => each === status) ? [`${name}: ${to}`] : [],
    )

  expect(Object.fromEntries(statuses.map((status) => [status, movesFrom(status)]))).toEqual({
    incomplete: ['begin: active', 'expire: incomplete_expired'],
    incomplete_expired: [],
    trialing: ['fallDue: past_due', 'beginTrial: trialing', 'endTrial: active', 'end: canceled', 'revoke: canceled'],
    active: ['fallDue: past_due', 'beginTrial: trialing', 'pause: paused', 'end: canceled', 'revoke: canceled'],
    past_due: ['recover: active', 'beginTrial: trialing', 'end: canceled', 'revoke: canceled', 'endUnpaid: canceled'],
    unpaid: ['revoke: canceled'],
    paused: ['resume: active', 'revoke: canceled'],
    canceled: [],
  })
})

test('a move that ends a subscription tells of the revocation last, and each tells of the update first', () => {
  const { begin, expire, ...moves } = subscriptionMoves
  expect([begin.tells[0], expire.tells]).toEqual(['subscription.created', []])
  for (const { to, tells } of Object.values(moves)) {
    expect(tells[0]).toBe('subscription.updated')
    if (to === 'canceled') expect(tells.at(-1)).toBe('subscription.revoked')
  }
})

test('no other place writes the status of a subscription', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.ts$/.test(name) && !/\.test\.ts$|testing/.test(name),
  )
  const writers = files.filter((name) =>
    readFileSync(path.join(source, name), 'utf8')
      .split("updateTable('subscription')")
      .slice(1)
      .some((statement) => /\bstatus:/.test(statement.slice(0, statement.indexOf('execute')))),
  )

  expect(writers).toEqual(['features/billing/order/subscription.repository.ts'])
})
