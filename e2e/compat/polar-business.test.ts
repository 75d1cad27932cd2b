import { createPolar as createPolar202604, webhooks as webhooks202604 } from '@polar-sh/sdk/2026-04'
import { createPolar as createPolar202610, webhooks as webhooks202610 } from '@polar-sh/sdk/2026-10'
import { createPolar as createPolar202701, webhooks as webhooks202701 } from '@polar-sh/sdk/2027-01'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createShop,
  fixedPrice,
  freePrice,
  type Shop,
} from '../../packages/server/src/features/billing/testing/shop.ts'
import { openSink, type Received, type Sink } from '../../packages/server/src/features/billing/testing/sink.ts'
import type { TestServer } from '../../packages/server/src/testing.ts'
import { createListeningServer } from './listening-server.ts'
import { Polar } from './polar-0.32/client.ts'

/** Webhooks, disputes, documents and refunds, as both generations of the client ask for them. */

let server: TestServer
let sink: Sink
let shop: Shop
let course: string
let sample: string

beforeAll(async () => {
  server = await createListeningServer()
  sink = await openSink()
  shop = await createShop(server)
  const named = {
    legal_name: 'The Shop GmbH',
    address: { country: 'DE', line1: 'Street 1', postal_code: '10115', city: 'Berlin' },
  }
  expect((await shop.patch(`/organizations/${shop.organizationId}/tax`, named)).status).toBe(200)
  course = await shop.product([fixedPrice(2000)], null, 'A course')
  sample = await shop.product([freePrice], null, 'A sample')
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await sink?.[Symbol.asyncDispose]()
})

const runJobs = () => server.tollgate.internals.ctx.jobs.runDue()
const headersOf = ({ headers }: Received) => headers as Record<string, string>

const address = { country: 'DE' as const, line1: 'Musterweg 1', postal_code: '10115', city: 'Berlin' }

/** An order of which everything is done that follows from it. */
const bought = async (card = 'success') => {
  const { order } = await shop.buy(course, {
    confirmation_token_id: `ctoken_sandbox_${card}`,
    customer_billing_address: address,
  })
  await runJobs()
  return order
}

/** What is behind a link to a document. */
async function documentAt(url: string): Promise<string> {
  const document = await fetch(url)
  expect([document.status, document.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return Buffer.from(await document.arrayBuffer())
    .subarray(0, 5)
    .toString()
}

test.each([
  ['2026-04', createPolar202604, webhooks202604],
  ['2026-10', createPolar202610, webhooks202610],
  ['2027-01', createPolar202701, webhooks202701],
] as const)(
  'the client 1.0, %s, sets up webhooks and reads the results',
  async (version, create, { validateEvent }) => {
    const { webhooks } = create({ baseUrl: server.baseURL, accessToken: shop.token, timeout: 30 })
    const path = `/sdk-${version}`

    const made = await webhooks.createWebhookEndpoint({
      url: sink.origin + path,
      format: 'raw',
      events: ['order.paid', 'product.created'],
    })
    expect(made).toMatchObject({ enabled: true, format: 'raw', organization_id: shop.organizationId })
    const listed = await webhooks.listWebhookEndpoints({ organization_id: shop.organizationId })
    expect(listed.items.map(({ id }) => id)).toContain(made.id)
    expect(await webhooks.getWebhookEndpoint(made.id)).toEqual(made)
    const changed = await webhooks.updateWebhookEndpoint(made.id, { name: 'Ledger', events: ['order.paid'] })
    expect(changed).toMatchObject({ name: 'Ledger', events: ['order.paid'], url: made.url })

    const order = await bought()
    const [told, ...more] = sink.at(path)
    expect(more).toEqual([])
    const read = await validateEvent(told!.raw, headersOf(told!), made.secret)
    expect(read).toMatchObject({ type: 'order.paid', data: { id: order.id } })
    const deliveries = await webhooks.listWebhookDeliveries({ endpoint_id: made.id, succeeded: true })
    expect(deliveries.items).toMatchObject([
      { succeeded: true, http_code: 204, webhook_event: { id: told!.id, type: 'order.paid', payload: told!.raw } },
    ])

    const day = { start_timestamp: order.created_at, end_timestamp: deliveries.items[0]!.created_at }
    const found: [query: Parameters<typeof webhooks.listWebhookDeliveries>[0], count: number][] = [
      [{ event_type: 'order.paid', http_code_class: '2xx', query: order.id, ...day }, 1],
      [{ event_type: ['order.created', 'order.paid'] }, 1],
      [{ event_type: 'order.created' }, 0],
      [{ http_code_class: '5xx' }, 0],
      [{ query: 'nothing of this kind' }, 0],
      [{ succeeded: false }, 0],
    ]
    for (const [query, count] of found) {
      const { items } = await webhooks.listWebhookDeliveries({ endpoint_id: [made.id], ...query })
      expect([query, items.length]).toEqual([query, count])
    }

    // Sent again, both secrets verify it.
    const reset = await webhooks.resetWebhookEndpointSecret(made.id)
    expect(reset.secret).not.toBe(made.secret)
    await webhooks.redeliverWebhookEvent(told!.id)
    await runJobs()
    const [, again] = sink.at(path)
    expect([again!.id, again!.raw]).toEqual([told!.id, told!.raw])
    for (const secret of [made.secret, reset.secret])
      expect((await validateEvent(again!.raw, headersOf(again!), secret)).type).toBe('order.paid')

    await webhooks.deleteWebhookEndpoint(made.id)
    await expect(webhooks.getWebhookEndpoint(made.id)).rejects.toThrow()
  },
)

test.each([
  ['2026-04', createPolar202604],
  ['2026-10', createPolar202610],
  ['2027-01', createPolar202701],
] as const)('the client 1.0, %s, reads disputes and documents, and gives money back', async (_, create) => {
  const polar = create({ baseUrl: server.baseURL, accessToken: shop.token, timeout: 30 })
  const [order, disputed] = [await bought(), await bought('disputed')]

  const disputes = await polar.disputes.list({ order_id: disputed.id })
  expect(disputes.items).toMatchObject([{ order_id: disputed.id, status: 'needs_response', amount: 2000 }])
  expect((await polar.disputes.list({ order_id: order.id })).items).toEqual([])
  expect(disputes.items[0]).toMatchObject(await polar.disputes.get(disputes.items[0]!.id))

  // An unknown buyer's invoice is issued once they are named.
  const { order: unnamed } = await shop.buy(sample, { customer_name: null, customer_billing_address: null })
  const given = { billing_name: 'Lovelace Ltd', billing_address: address }
  expect(await polar.orders.update(unnamed.id, given)).toMatchObject({ id: unnamed.id, billing_name: 'Lovelace Ltd' })
  await polar.orders.generateInvoice(unnamed.id)
  const links = [await polar.orders.invoice(unnamed.id), await polar.orders.receipt(order.id)]
  for (const { url } of links) expect(await documentAt(url)).toBe('%PDF-')

  const refund = await polar.refunds.create({ order_id: order.id, amount: 500, reason: 'customer_request' })
  expect(refund).toMatchObject({ order_id: order.id, amount: 500 })
  const { items } = await polar.refunds.list({ order_id: order.id })
  expect(items.map(({ id }) => id)).toEqual([refund.id])
  const known = { customer_id: order.customer_id }
  expect((await polar.orders.list({ ...known, created_after: order.created_at })).items).toHaveLength(1)
  expect((await polar.orders.list({ ...known, created_before: '2020-01-01T00:00:00Z' })).items).toEqual([])
  expect((await polar.refunds.list({ external_customer_id: 'nobody' })).items).toEqual([])
  expect((await polar.products.list({ visibility: ['draft'] })).items).toEqual([])
  expect((await polar.customers.list({ active: true })).items).toEqual([])
  expect((await polar.subscriptions.list({ customer_cancellation_reason: 'unused' })).items).toEqual([])
  const columns = await polar.orders.export({ columns: ['invoice_number', 'email'] })
  expect(columns.split(/\r?\n/)[0]).toMatch(/^\ufeff?"?invoice_number"?,"?email"?$/)
  const table = await polar.orders.export()
  const [head, ...rows] = table.trim().split(/\r?\n/)
  expect(head).toContain(',')
  expect(rows.filter((row) => row.includes(order.id))).toHaveLength(1)
})

test('the client 0.32 gives money back and reads invoices; webhooks and disputes it does not know', async () => {
  const polar = new Polar({ serverURL: server.baseURL, accessToken: shop.token })
  expect(Object.keys(Object.getOwnPropertyDescriptors(Polar.prototype))).not.toContain('webhooks')
  const order = await bought()

  const refund = await polar.refunds.create({ orderId: order.id, amount: 700, reason: 'duplicate' })
  expect(refund).toMatchObject({ orderId: order.id, amount: 700, reason: 'duplicate' })
  const { result } = await polar.refunds.list({ orderId: order.id })
  expect(result.items.map(({ id }) => id)).toEqual([refund?.id])
  expect((await polar.orders.get({ id: order.id })).refundedAmount).toBe(700)
  expect(await documentAt((await polar.orders.invoice({ id: order.id })).url)).toBe('%PDF-')
})
