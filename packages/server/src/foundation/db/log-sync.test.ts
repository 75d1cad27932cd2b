import { expect, test } from 'vitest'
import { createLogSync } from './log-sync.ts'

/** A sync that ends when the test calls for it. */
function heldSync() {
  const held: { end: () => void; fail: (error: Error) => void }[] = []
  const log = createLogSync(
    () =>
      new Promise<void>((resolve, reject) => {
        held.push({ end: resolve, fail: reject })
      }),
  )
  return { held, log }
}

const isDone = async (promise: Promise<void>): Promise<boolean> => {
  const later = new Promise<false>((resolve) => setImmediate(() => resolve(false)))
  return Promise.race([promise.then(() => true as const), later])
}

test('a commit is durable when the sync that began after it has ended', async () => {
  const { held, log } = heldSync()

  const flushed = log.flush()

  expect(await isDone(flushed)).toBe(false)
  held[0]!.end()
  expect(await isDone(flushed)).toBe(true)
})

test('commits that come while a sync runs wait for the next one, and share it', async () => {
  const { held, log } = heldSync()
  const first = log.flush()

  const second = log.flush()
  const third = log.flush()
  held[0]!.end()
  await first

  expect(await isDone(second)).toBe(false)
  expect(held).toHaveLength(2)
  held[1]!.end()
  expect(await isDone(second)).toBe(true)
  expect(await isDone(third)).toBe(true)
})

test('after a failed sync nothing is acknowledged any more', async () => {
  const { held, log } = heldSync()
  const first = log.flush()

  expect(log.failure()).toBeUndefined()
  held[0]!.fail(new Error('input/output error'))

  await expect(first).rejects.toThrow('input/output error')
  await expect(log.flush()).rejects.toThrow('input/output error')
  expect(held).toHaveLength(1)
  expect(log.failure()).toEqual(new Error('input/output error'))
})
