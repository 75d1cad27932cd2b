import { expect, test } from 'vitest'
import { createTestServer } from '../../../testing.ts'
import { recordCarts } from '../testing/carts.ts'

/*
 * What the API answered before the billing engine existed. A difference in this file is a change of prices or of the
 * wire for those who already sell: write it anew, with `npx vitest -u`, only where such a change is meant.
 */

test('2,000 random carts cost, and are answered, what they were before', { timeout: 240_000 }, async () => {
  await using server = await createTestServer({ billing: { tax: { provider: 'table' } } })

  const lines = await recordCarts(server, 2000)

  await expect(lines.join('\n')).toMatchFileSnapshot('carts.golden.txt')
})
