import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  accountEvents,
  accountEventTypes,
  auditRows,
  billingEventTypes,
  billingRow,
  type ChatWords,
  eventObjects,
  organizationEvents,
  peopleEventTypes,
  timelineRows,
  webhookEventTypes,
  webhookRow,
} from './events.ts'

const root = path.join(import.meta.dirname, '../../../..')
const read = (name: string) => readFileSync(path.join(root, name), 'utf8')

/** Words that return their own name, so that a sentence shows which it uses. */
const words = new Proxy<Readonly<Record<string, string>>>({}, { get: (_, name) => `‹${String(name)}›` })
const sentence = /^\S.*\S$/

test('every event has an object with a kind', () => {
  for (const { object } of Object.values(timelineRows)) {
    expect(eventObjects[object]).toEqual(expect.objectContaining({ kind: expect.any(String) }))
  }
  expect(Object.keys(timelineRows)).toEqual(expect.arrayContaining([...billingEventTypes, ...Object.keys(auditRows)]))
})

test('every event that endpoints can hear of is documented and has a sentence for chats', () => {
  const page = read('docs/webhook-events.md')

  for (const type of webhookEventTypes) {
    const row = webhookRow(type)
    expect(page).toContain(`| \`${type}\``)
    expect([type, row?.docs]).toEqual([type, expect.stringMatching(/^[A-Z].*\.$/)])
    expect([type, row?.chat?.(words as unknown as ChatWords)]).toEqual([type, expect.stringMatching(sentence)])
  }
  expect(webhookEventTypes).toHaveLength(billingEventTypes.length + peopleEventTypes.length + accountEventTypes.length)
  expect(new Set(webhookEventTypes).size).toBe(webhookEventTypes.length)
})

test('an event is either sent to endpoints, or its row gives the reason', () => {
  for (const [type, row] of Object.entries({ ...accountEvents, ...organizationEvents }))
    expect([type, 'docs' in row, 'notSent' in row]).toEqual([type, 'docs' in row, !('docs' in row)])
})

/** Literal event types in the server's own files, and the prefixes of those that end in a state. */
const sources = readdirSync(path.join(root, 'packages/server/src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.(test|repository)\.ts$|testing/.test(name))
  .map((name) => read(path.join('packages/server/src', name)))
  .filter((text) => /\b(emit|tell)\w*\(/.test(text))
const literals = (pattern: RegExp) =>
  sources.flatMap((text) => [...text.matchAll(pattern)].map(([, type]) => type ?? ''))
const emitted = literals(/'([a-z_]+\.[a-z_]+)'/g)
const beginnings = literals(/`([a-z_]+\.)\$\{/g)

test('every event that the server emits has a row', () => {
  const objects = new Set(Object.keys(timelineRows).map((type) => type.split('.')[0]))
  const events = emitted.filter((literal) => objects.has(literal.split('.')[0]))

  expect(new Set(events).size).toBeGreaterThan(75)
  expect(events.filter((type) => !Object.hasOwn(timelineRows, type))).toEqual([])
})

test('every row is emitted, or is marked as one to come', () => {
  // Cancellations cannot be withdrawn yet; endpoints may subscribe to the type already.
  const toCome = (type: string) => billingRow(type)?.isToCome || type === 'subscription.uncanceled'

  const isEmitted = (type: string) => emitted.includes(type) || beginnings.some((part) => type.startsWith(part))

  expect(Object.keys(timelineRows).filter((type) => !isEmitted(type) && !toCome(type))).toEqual([])
})
