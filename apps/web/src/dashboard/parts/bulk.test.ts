import { createBillingClient } from '@tollgate/client'
import { expect, test } from 'vitest'
import { failuresOf } from './bulk.tsx'

/** Answers a status for each id. */
const billing = (statuses: Readonly<Record<string, number>>, asked: string[] = []) =>
  createBillingClient({
    baseURL: 'https://tolls.example.com',
    fetch: async (input) => {
      const id = new URL(input as string).pathname.split('/').at(-1) ?? ''
      asked.push(id)
      const status = statuses[id] ?? 204
      return status === 204
        ? new Response(null, { status })
        : Response.json({ error: 'Refused', detail: 'No' }, { status })
    },
  })

test('each row is asked for once, and those that fail come back in their order', async () => {
  const asked: string[] = []
  const { deleteDiscount } = billing({ b: 403, e: 500 }, asked)
  const items = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id }))

  const failed = await failuresOf(items, ({ id }) => deleteDiscount({ id }))

  expect(asked.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  expect(failed.map(({ item }) => item.id)).toEqual(['b', 'e'])
  expect(failed.every(({ reason }) => reason !== '')).toBe(true)
})

test('a row that is gone already counts as done', async () => {
  const { deleteDiscount } = billing({ a: 404 })

  expect(await failuresOf([{ id: 'a' }], ({ id }) => deleteDiscount({ id }))).toEqual([])
})
