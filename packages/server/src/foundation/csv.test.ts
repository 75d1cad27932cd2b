import { expect, test } from 'vitest'
import { csvOfLog } from './csv.ts'

/** Exports a log of this many events: the file's lines below the heading, and the size of each read. */
async function fileOf(count: number, cursor?: string) {
  const reads: number[] = []
  const file = csvOfLog<number>(
    [
      ['time', String],
      ['id', (event) => `e${event}`],
    ],
    {
      cursor,
      read: async ({ cursor: behind, limit }) => {
        const newest = behind === undefined ? count : Number(behind) - 1
        const rows = Array.from({ length: Math.min(limit, newest) }, (_, index) => newest - index)
        reads.push(rows.length)
        return { rows, nextCursor: newest > rows.length ? String(rows.at(-1)) : null }
      },
      how: (last) => `Go on with cursor=${last}`,
    },
  )
  const lines = (await new Response(file).text()).trimEnd().split('\r\n').slice(1)
  return { lines, reads }
}

test.each([
  { count: 0, given: 0 },
  { count: 1, given: 1 },
  { count: 500, given: 500 },
  { count: 49_999, given: 49_999 },
  { count: 50_000, given: 50_000 },
  { count: 50_001, given: 50_000, ends: '"There is more: this file ends after 50000 events. Go on with cursor=2",""' },
  {
    count: 120_000,
    given: 50_000,
    ends: '"There is more: this file ends after 50000 events. Go on with cursor=70001",""',
  },
])('of a log of $count events a file holds $given, and states where there are more', async ({ count, given, ends }) => {
  const { lines, reads } = await fileOf(count)
  expect(lines).toHaveLength(given + (ends === undefined ? 0 : 1))
  if (ends !== undefined) expect(lines.pop()).toBe(ends)
  expect(lines.at(-1)).toBe(given === 0 ? undefined : `${count - given + 1},"e${count - given + 1}"`)
  expect(Math.max(...reads)).toBeLessThanOrEqual(500)
})

test('a file starts where the previous one ended, without a gap', async () => {
  const { lines } = await fileOf(50_010, '11')
  expect(lines).toEqual(Array.from({ length: 10 }, (_, index) => `${10 - index},"e${10 - index}"`))
})
