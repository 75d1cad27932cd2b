import { expect, test } from 'vitest'
import { createOnce } from './once.ts'

type Outcome = number | 'no answer' | 'breaks off'

/** Answers requests one after the other as configured; `keys` are the keys that came with them. */
function createServer(...outcomes: Outcome[]) {
  const keys: (string | null)[] = []
  const ask = createOnce(async (_, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    const outcome = outcomes.shift()
    if (outcome === 'no answer') throw new TypeError('Failed to fetch')
    const broken = new ReadableStream({ pull: (body) => body.error(new TypeError('terminated')) })
    return outcome === 'breaks off' ? new Response(broken) : new Response('{}', { status: outcome ?? 200 })
  })
  return { ask, keys }
}

const url = 'https://tolls.example/v1/refunds'
const post = (amount: number) => ({ method: 'POST', body: JSON.stringify({ amount }) })
const attempt = async (ask: typeof fetch, amount = 1000) => void (await ask(url, post(amount)).catch(() => undefined))

test.each<{ outcome: Outcome; again: 'the same key' | 'another key' }>([
  { outcome: 'no answer', again: 'the same key' },
  { outcome: 'breaks off', again: 'the same key' },
  { outcome: 409, again: 'the same key' },
  { outcome: 429, again: 'the same key' },
  { outcome: 500, again: 'the same key' },
  { outcome: 502, again: 'the same key' },
  { outcome: 503, again: 'the same key' },
  { outcome: 401, again: 'the same key' },
  { outcome: 403, again: 'the same key' },
  { outcome: 404, again: 'the same key' },
  { outcome: 200, again: 'another key' },
  { outcome: 201, again: 'another key' },
  { outcome: 400, again: 'another key' },
  { outcome: 422, again: 'another key' },
])('what is asked for again after $outcome has $again', async ({ outcome, again }) => {
  const { ask, keys } = createServer(outcome)
  await attempt(ask)
  await attempt(ask)
  expect(keys[0]).toMatch(/^\w{10,}$/)
  expect(keys[0] === keys[1]).toBe(again === 'the same key')
})

test('a key holds until it is known what came of it, and is of one request alone', async () => {
  const { ask, keys } = createServer('no answer', 409, 503, 200)
  for (const amount of [1000, 1000, 1000, 2000, 1000, 1000]) await attempt(ask, amount)
  const [first, second, third, other, last, anew] = keys
  expect([second, third, last]).toEqual([first, first, first])
  expect(new Set([first, other, anew]).size).toBe(3)
})

test('the same at the same time has one key, and what only reads has none', async () => {
  const { ask, keys } = createServer()
  await Promise.all([attempt(ask), attempt(ask)])
  expect(keys[0]).toBe(keys[1])
  await ask(url, { method: 'GET' })
  expect(keys[2]).toBeNull()
})
