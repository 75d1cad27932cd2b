import { createTollgateClient } from '@tollgate/client'
import { expect, test } from 'vitest'
import { readDeletionPreview } from './deletion-preview.ts'

const solo = { id: 'o1', name: 'Solo Ltd', slug: 'solo' }
const purchases = { subscriptions: [], subscriptionCount: 0, voided: [], due: [], paymentMethodCount: 0 }
const { signal } = new AbortController()

/** A client whose server answers everything alike. */
const clientOf = (status: number, body: unknown) =>
  createTollgateClient({ baseURL: 'http://localhost', fetch: async () => Response.json(body, { status }) })

test.each([
  [
    'what the server says',
    200,
    { blocking: [], ending: [solo], purchases },
    { blocking: [], ending: [solo], purchases },
  ],
  [
    'nothing, where organizations are switched off',
    404,
    { code: 'NOT_FOUND' },
    { blocking: [], ending: [], purchases },
  ],
  ['a failure, so that nothing is deleted unannounced', 500, { code: 'INTERNAL_SERVER_ERROR' }, null],
])('the effect of a deletion on organizations is %s', async (_, status, body, expected) => {
  const { data, error } = await readDeletionPreview(clientOf(status, body), signal)

  expect([data, error === null]).toEqual([expected, expected !== null])
})
