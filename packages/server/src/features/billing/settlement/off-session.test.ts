import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { days, minutes } from '../../../foundation/clock.ts'
import { createTestServer, type TestServer } from '../../../testing.ts'
import type { Processor } from '../payments/processor.ts'
import { faultsInBooks } from '../testing/books.ts'
import { ordersOfSubscription } from '../testing/orders.ts'
import { createShop, fixedPrice } from '../testing/shop.ts'
import { pass } from '../testing/time.ts'

let server: TestServer
/** The calls to the processor about payments, in order. */
const calls: string[] = []
/** What becomes of the next charge. */
let answer: 'comes' | 'is lost' | 'is lost, and the request too'

beforeAll(async () => {
  server = await createTestServer({ billing: { processors: { sandbox: { events: 'never' } } } })
  const { sandbox } = ctx().payments
  const { charge, look } = sandbox
  const watched: Pick<Processor, 'charge' | 'look'> = {
    async charge(asked) {
      calls.push('charge')
      const fate = answer
      answer = 'comes'
      const attempt = fate === 'is lost, and the request too' ? undefined : await charge(asked)
      if (fate !== 'comes' || !attempt) throw new Error('connection reset')
      return attempt
    },
    async look(id) {
      calls.push('look')
      return look(id)
    },
  }
  Object.assign(sandbox, watched)
})
afterAll(async () => {
  expect(await faultsInBooks(ctx().db)).toEqual([])
  await server[Symbol.asyncDispose]()
})
beforeEach(() => {
  answer = 'comes'
})
const ctx = () => server.tollgate.internals.ctx

test.each([
  ['comes', ['charge']],
  ['is lost', ['charge', 'look']],
  ['is lost, and the request too', ['charge', 'look', 'charge']],
] as const)(
  'where the answer %s, a renewal is charged once: a repeated attempt looks first',
  async (fate, expected) => {
    const shop = await createShop(server)
    const { order } = await shop.buy(await shop.product([fixedPrice(1000)], 'month'))
    calls.length = 0
    answer = fate

    await pass(server, days(31))
    await pass(server, minutes(10))

    expect(calls).toEqual(expected)
    const [, renewal] = await ordersOfSubscription(shop, order.subscription_id)
    expect(renewal.status).toBe('paid')
    const { items } = (await shop.get(`/payments?order_id=${renewal.id}`)).body
    expect(items.map(({ status }: { status: string }) => status)).toEqual(['succeeded'])
    await shop.delete(`/subscriptions/${order.subscription_id}`)
  },
)
