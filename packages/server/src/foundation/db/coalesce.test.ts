import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

/** A read that ends when the test calls for it. */
function heldReads(width: number) {
  const reads: { keys: readonly string[]; end: () => void; fail: (error: Error) => void }[] = []
  const find = coalesce<string>(
    (keys) =>
      new Promise((resolve, reject) => {
        const known = keys.filter((key) => key !== 'unknown')
        reads.push({ keys, end: () => resolve(new Map(known.map((key) => [key, key.toUpperCase()]))), fail: reject })
      }),
    width,
  )
  return { reads, find }
}

const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('reads asked for together are one read, and each gets its own answer', async () => {
  const { reads, find } = heldReads(1)

  const found = Promise.all([find('a'), find('unknown'), find('a'), find('b')])
  await nextTurn()
  reads[0]!.end()

  expect(await found).toEqual(['A', undefined, 'A', 'B'])
  expect(reads.map(({ keys }) => keys)).toEqual([['a', 'unknown', 'a', 'b']])
})

test('a read requested during another starts after it, so that it sees the commits since then', async () => {
  const { reads, find } = heldReads(1)
  const first = find('a')
  await nextTurn()

  const second = find('a')
  await nextTurn()
  expect(reads).toHaveLength(1)
  reads[0]!.end()
  await first
  await nextTurn()

  expect(reads).toHaveLength(2)
  reads[1]!.end()
  expect(await second).toBe('A')
})

test('a failed read fails those it gathered, and no others', async () => {
  const { reads, find } = heldReads(1)
  const failing = [find('a'), find('b')]
  await nextTurn()
  const later = find('c')

  reads[0]!.fail(new Error('connection lost'))
  const outcomes = await Promise.allSettled(failing)
  await nextTurn()
  reads[1]!.end()

  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await later).toBe('C')
})
