import { afterAll, beforeAll, expect, test } from 'vitest'
import { after, days } from '../../foundation/clock.ts'
import { newUuid } from '../../foundation/ids.ts'
import { createTestServer, type Person, type TestServer } from '../../testing.ts'
import type { DisputeStatus } from '../billing/states.ts'
import { createShop, fixedPrice, type Shop } from '../billing/testing/shop.ts'

let server: TestServer
let root: Person
let shops: Shop[]

const ctx = () => server.tollgate.internals.ctx

/** A dispute as the processor reports it, about a purchase of its own. */
async function disputed(shop: Shop, status: DisputeStatus, evidenceDueBy: Date | null = null) {
  const { order } = await shop.buy(await shop.product([fixedPrice(1000)]))
  const { id: paymentId } = (await shop.get(`/payments?order_id=${order.id}`)).body.items[0]
  server.clock.advance(1000)
  const dispute = {
    id: newUuid(),
    organizationId: shop.organizationId,
    orderId: order.id,
    paymentId,
    customerId: order.customer_id,
    processor: 'stripe' as const,
    processorReference: `du_${newUuid()}`,
    status,
    reason: 'fraudulent',
    amount: 840,
    taxAmount: 160,
    currency: 'usd',
    evidenceDueBy,
    createdAt: server.clock.now(),
  }
  await ctx().transaction((tx) => tx.insertInto('dispute').values(dispute).execute())
  return { ...dispute, invoiceNumber: order.invoice_number }
}

beforeAll(async () => {
  server = await createTestServer()
  root = await server.administrator('Root')
  shops = [await createShop(server), await createShop(server)]
})
afterAll(() => server[Symbol.asyncDispose]())

test('administrators see the open disputes of all organizations, oldest first, and their number', async () => {
  const [first, second] = shops as [Shop, Shop]
  const dueBy = after(server.clock.now(), days(2))
  const asked = await disputed(first, 'needs_response', dueBy)
  const inquiry = await disputed(second, 'early_warning', dueBy)
  const open = [asked, inquiry, await disputed(first, 'early_warning'), await disputed(second, 'under_review', dueBy)]
  for (const decided of ['won', 'lost', 'prevented'] as const) await disputed(first, decided, dueBy)

  const { status, body } = await root.get('/admin/list-disputes')

  expect(status).toBe(200)
  expect(body.disputes.map(({ id }: { id: string }) => id)).toEqual(open.map(({ id }) => id))
  expect(body.disputes[0]).toEqual({
    id: asked.id,
    organization: { id: first.organizationId, name: expect.any(String), slug: first.slug },
    order: { id: asked.orderId, invoiceNumber: asked.invoiceNumber },
    processor: 'stripe' as const,
    caseId: asked.processorReference,
    status: 'needs_response',
    reason: 'fraudulent',
    amount: 1000,
    currency: 'usd',
    evidenceDueBy: dueBy.toISOString(),
    toAnswer: true,
    pastDue: false,
    isTest: true,
    createdAt: asked.createdAt.toISOString(),
  })
  expect(body.disputes.map(({ toAnswer }: { toAnswer: boolean }) => toAnswer)).toEqual([true, true, false, false])
  expect([body.toAnswer, body.nextCursor]).toEqual([2, null])

  const pages: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { disputes: { id: string }[]; toAnswer: number; nextCursor: string | null } = (
      await root.get(`/admin/list-disputes?limit=3${cursor && `&cursor=${cursor}`}`)
    ).body
    pages.push(page.disputes.map(({ id }) => id).join())
    expect(page.toAnswer).toBe(2)
    cursor = page.nextCursor
  }
  expect(pages).toEqual([
    open
      .slice(0, 3)
      .map(({ id }) => id)
      .join(),
    open[3]?.id,
  ])

  server.clock.advance(days(3))
  const late = (await root.get('/admin/list-disputes')).body.disputes
  expect(late.map(({ pastDue }: { pastDue: boolean }) => pastDue)).toEqual([true, true, false, false])
  // The seller reads about the inquiry too.
  expect((await second.get(`/disputes/${inquiry.id}`)).body).toMatchObject({ past_due: true, resolved: false })
})

test('no other user does, and no cursor but one of this list leads further', async () => {
  const refusal = async (person: Pick<Person, 'get'>, path = '/admin/list-disputes') => {
    const { status, body } = await person.get(path)
    return [status, body.code]
  }
  const forbidden = [403, 'YOU_ARE_NOT_ALLOWED_TO_LIST_DISPUTES']
  expect(await refusal(await server.signedUp('Eve'))).toEqual(forbidden)
  expect(await refusal(shops[0]!.owner)).toEqual(forbidden)
  expect(await refusal(server.visitor())).toEqual([401, 'UNAUTHORIZED'])
  for (const cursor of [
    'x',
    'WzEsMiwzXQ',
    Buffer.from('["createdAt","desc","2026-11-22T10:00:00.000Z","x"]').toString('base64url'),
  ])
    expect(await refusal(root, `/admin/list-disputes?cursor=${cursor}`)).toEqual([400, 'VALIDATION_ERROR'])
  expect(await refusal(root, '/admin/list-disputes?limit=201')).toEqual([400, 'VALIDATION_ERROR'])
})

test('where nothing is sold there is no such list', async () => {
  await using other = await createTestServer({ billing: false })

  expect((await (await other.administrator()).get('/admin/list-disputes')).status).toBe(404)
})
