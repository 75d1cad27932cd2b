import { expect, test } from 'vitest'
import { share } from './share.ts'

/** Numbered reads that end when the test calls for it. */
function heldReads() {
  const reads: { key: string; end: () => void; fail: (error: Error) => void }[] = []
  const shared = share<number>()
  const ask = (key: string) =>
    shared(
      key,
      () =>
        new Promise((resolve, reject) => {
          const number = reads.length + 1
          reads.push({ key, end: () => resolve(number), fail: reject })
        }),
    )
  return { reads, ask }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('those who ask for the same together share one read; others have their own', async () => {
  const { reads, ask } = heldReads()

  const asked = [ask('a'), ask('b'), ask('a')]
  await nextTurn()
  for (const { end } of reads) end()

  expect(await Promise.all(asked)).toEqual([1, 2, 1])
  expect(reads.map(({ key }) => key)).toEqual(['a', 'b'])
})

test('callers during a read share the next one, which starts after it', async () => {
  const { reads, ask } = heldReads()
  const first = ask('a')
  await nextTurn()

  const later = [ask('a'), ask('a')]
  await nextTurn()
  expect(reads).toHaveLength(1)
  reads[0]!.end()
  await nextTurn()
  expect(reads).toHaveLength(2)
  reads[1]!.end()

  expect(await first).toBe(1)
  expect(await Promise.all(later)).toEqual([2, 2])
  const last = ask('a')
  await nextTurn()
  reads[2]!.end()
  expect(await last).toBe(3)
})

test('a failed read fails those it was for, and not those who wait behind it', async () => {
  const { reads, ask } = heldReads()
  const failing = Promise.allSettled([ask('a'), ask('a')])
  await nextTurn()
  const later = ask('a')

  reads[0]!.fail(new Error('connection lost'))
  await nextTurn()
  reads[1]!.end()

  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await later).toBe(2)
})
