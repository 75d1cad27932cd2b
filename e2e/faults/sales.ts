import { billingEventTypes } from '@tollgate/contract/events'
import { faultsInBooks } from '../../packages/server/src/features/billing/testing/books.ts'
import {
  createShop,
  fixedPrice,
  newBuyer,
  type OpenCheckout,
} from '../../packages/server/src/features/billing/testing/shop.ts'
import { openSink, type Sink } from '../../packages/server/src/features/billing/testing/sink.ts'
import { standingClock, systemClock } from '../../packages/server/src/foundation/clock.ts'
import { createTestServer } from '../../packages/server/src/testing.ts'
import { type CallAnswer, call } from './calls.ts'
import { until } from './server-process.ts'
import { lookInto } from './state.ts'

/** A shop that servers in processes of their own sell from, a receiver of all its events, and a record of every answer. */
export type Sales = AsyncDisposable & {
  /** Checkouts that were answered as bought, and refunds that were answered as given. */
  readonly bought: OpenCheckout[]
  readonly refunds: string[]
  /** How many answers said that it cannot be done now. */
  refusals(): number
  /** Forbidden answers: neither a success nor a 503 with Retry-After. */
  readonly faults: string[]
  /** An open checkout; nothing where there is no service. */
  offer(baseURL: string): Promise<OpenCheckout | undefined>
  /** Pays one; whether that was answered with success. */
  buy(baseURL: string, checkout: OpenCheckout): Promise<boolean>
  /** Whether it has an order, whatever was answered. */
  isSold(baseURL: string, checkout: OpenCheckout): Promise<boolean>
  /** Gives a part of its order back; whether that was answered with success. */
  giveBack(baseURL: string, checkout: OpenCheckout): Promise<boolean>
  /**
   * Waits until nothing is under way any more, moving on the clocks of the servers; gives what is wrong then: with the books,
   * with what was answered, and with what the receiver has heard.
   */
  faultsAtRest(baseURLs: readonly string[]): Promise<string[]>
}

const price = 1000
const part = 300

/** Creates the shop in an unused database. */
export async function openSales(databaseUrl: string): Promise<Sales> {
  const sink = await openSink()
  const { token, productId } = await foundShop(databaseUrl, sink)
  const authorization = `Bearer ${token}`
  const bought: OpenCheckout[] = []
  const refunds: string[] = []
  const faults: string[] = []
  let refused = 0

  /** The body of a success; nothing where there is no service at the moment. */
  async function ask(baseURL: string, path: string, body?: unknown): Promise<CallAnswer['body']> {
    const answer = await call(baseURL, path, body, { headers: { authorization }, root: '/v1' })
    const { status, headers, text } = answer
    if (status === 200 || status === 201) return answer.body
    if (status === 503) refused += 1
    if (status !== 503) faults.push(`${path}: ${status} ${text}`)
    else if (!headers.get('retry-after')) faults.push(`${path}: 503 without Retry-After`)
    return undefined
  }

  const orderOf = async (baseURL: string, { id }: OpenCheckout) =>
    (await ask(baseURL, `/orders?checkout_id=${id}`))?.items[0]

  return {
    bought,
    refunds,
    faults,
    refusals: () => refused,
    offer: (baseURL) => ask(baseURL, '/checkouts', { products: [productId] }),
    buy: async (baseURL, checkout) => {
      const given = { ...newBuyer(), confirmation_token_id: 'ctoken_sandbox_success' }
      const isBought = (await ask(baseURL, `/checkouts/client/${checkout.client_secret}/confirm`, given)) !== undefined
      if (isBought) bought.push(checkout)
      return isBought
    },
    isSold: async (baseURL, checkout) => (await orderOf(baseURL, checkout)) !== undefined,
    giveBack: async (baseURL, checkout) => {
      const order = await orderOf(baseURL, checkout)
      const given = order && (await ask(baseURL, '/refunds', { order_id: order.id, reason: 'other', amount: part }))
      if (given) refunds.push(given.id)
      return given !== undefined
    },
    faultsAtRest: async (baseURLs) => {
      let left: string[] = []
      await until('everything at rest', 30_000, async () => {
        for (const baseURL of baseURLs) await moveClock(baseURL)
        left = await whatIsWrong(databaseUrl, { bought, refunds, sink })
        return left.length === 0
      }).catch(() => {}) // what is wrong still is the answer
      return left
    },
    [Symbol.asyncDispose]: () => sink[Symbol.asyncDispose](),
  }
}

async function foundShop(databaseUrl: string, sink: Sink): Promise<{ token: string; productId: string }> {
  await using server = await createTestServer({}, { databaseUrl, clock: standingClock(systemClock.now()) })
  const shop = await createShop(server)
  const { status } = await shop.post('/webhooks/endpoints', { url: `${sink.origin}/`, events: billingEventTypes })
  if (status !== 201) throw new Error(`The receiver was answered ${status}`)
  return { token: shop.token, productId: await shop.product([fixedPrice(price)]) }
}

/** Whatever waits for a time, such as a lease of a process that could not write down its end, need not wait for it. */
async function moveClock(baseURL: string): Promise<void> {
  const headers = { 'content-type': 'application/json', origin: baseURL }
  await fetch(`${baseURL}/dev/clock`, { method: 'POST', headers, body: '{"advance":"PT2M"}' })
}

type Answered = { readonly bought: readonly OpenCheckout[]; readonly refunds: readonly string[]; readonly sink: Sink }

const whatIsWrong = (databaseUrl: string, { bought, refunds, sink }: Answered): Promise<string[]> =>
  lookInto(databaseUrl, async ({ db }) => {
    const orders = await db.selectFrom('order').select('checkoutId').execute()
    const given = await db.selectFrom('refund').select(['id', 'status']).execute()
    const events = await db.selectFrom('event').select(['id', 'type']).where('type', 'in', billingEventTypes).execute()
    const sold = new Set(orders.map(({ checkoutId }) => checkoutId))
    const back = new Set(given.filter(({ status }) => status === 'succeeded').map(({ id }) => id))
    const heard = new Set(sink.received.map(({ id }) => id))
    return [
      ...(await faultsInBooks(db)),
      ...bought.filter(({ id }) => !sold.has(id)).map(({ id }) => `${id} was answered as bought, and has no order`),
      ...refunds.filter((id) => !back.has(id)).map((id) => `${id} was answered as given back, and is not`),
      ...events.filter(({ id }) => !heard.has(id)).map(({ id, type }) => `nobody was told of ${type} ${id}`),
    ]
  })
