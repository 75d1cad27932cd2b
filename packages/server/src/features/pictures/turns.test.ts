import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('a user’s next work follows one of each other user that waits', async () => {
  const turns = createTurns({ ofAll: 10, ofOne: 4 })
  const order: string[] = []
  const take = (user: string, name: string) => turns.take(user, async () => order.push(name))

  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => take('Ada', name)),
    ...['g1', 'g2'].map((name) => take('Grace', name)),
    take('Alan', 'l1'),
  ])

  expect(order).toEqual(['a1', 'a2', 'g1', 'l1', 'a3', 'g2', 'a4'])
})

test('a user may have only so many works, all users together too, until one is done', async () => {
  const turns = createTurns({ ofAll: 3, ofOne: 2 })
  const gate = Promise.withResolvers<void>()
  const take = (user: string) => turns.take(user, () => gate.promise)
  const running = [take('Ada'), take('Ada')]

  await expect(take('Ada')).rejects.toMatchObject({ error: 'TOO_MANY_REQUESTS', retryAfter: 5 })
  running.push(take('Grace'))
  await expect(take('Alan')).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE', retryAfter: 5 })
  gate.resolve()
  await Promise.all(running)

  await expect(Promise.all([take('Ada'), take('Ada'), take('Alan')])).resolves.toHaveLength(3)
})

test('a work that fails leaves its place to the next', async () => {
  const turns = createTurns({ ofAll: 3, ofOne: 2 })
  const failing = turns.take('Ada', () => Promise.reject(new Error('unreadable')))
  const next = turns.take('Ada', async () => 'done')

  await expect(failing).rejects.toThrow('unreadable')
  expect(await next).toBe('done')
})
