import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUuid } from '../../foundation/ids.ts'
import { createTestServer, type Person, type TestServer } from '../../testing.ts'
import { noteAttention } from '../billing/attention/attention.service.ts'
import { createShop, type Shop } from '../billing/testing/shop.ts'

let server: TestServer
let root: Person
let shop: Shop

const ctx = () => server.tollgate.internals.ctx

/** A new entry, a second after the entry before. */
async function noted(given: { kind?: 'amount_differs' | 'paid_after_failure'; isTest?: boolean } = {}) {
  server.clock.advance(1000)
  const processorReference = `pi_${newUuid()}`
  await ctx().transaction((tx) =>
    noteAttention(ctx(), tx, {
      kind: 'amount_differs',
      organizationId: shop.organizationId,
      processor: 'stripe',
      processorReference,
      paymentId: newUuid(),
      refundId: null,
      amount: 100,
      currency: 'USD',
      expected: { amount: 1900, currency: 'usd' },
      isTest: false,
      ...given,
    }),
  )
  const { body } = await root.get('/admin/list-attention')
  return body.items.find((each: { processorReference: string }) => each.processorReference === processorReference)
}
const list = async (query = '') => (await root.get(`/admin/list-attention${query}`)).body
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)
const resolve = (person: Pick<Person, 'post'>, attentionId: string, note = 'Refunded at Stripe.') =>
  person.post('/admin/resolve-attention', { attentionId, note })

beforeAll(async () => {
  server = await createTestServer()
  root = await server.administrator('Root')
  shop = await createShop(server)
})
afterAll(() => server[Symbol.asyncDispose]())

test('administrators page through open money, newest first, by kind, and the home page counts it', async () => {
  const first = await noted()
  const second = await noted({ kind: 'paid_after_failure' })
  const third = await noted()

  const all = await list()
  expect(idsOf(all)).toEqual([third.id, second.id, first.id])
  expect([all.open, all.nextCursor]).toEqual([3, null])
  const page = await list('?limit=2')
  expect(idsOf(page)).toEqual([third.id, second.id])
  const rest = await list(`?limit=2&cursor=${page.nextCursor}`)
  expect([idsOf(rest), rest.nextCursor, rest.open]).toEqual([[first.id], null, 3])
  expect(idsOf(await list('?kind=paid_after_failure'))).toEqual([second.id])
  expect(idsOf(await list('?state=resolved'))).toEqual([])
  expect((await root.get('/admin/get-overview')).body.attention.moneyToCheck).toBe(3)
  for (const query of ['?limit=201', '?cursor=x', '?kind=other', '?state=any'])
    expect((await root.get(`/admin/list-attention${query}`)).status).toBe(400)
})

test('an entry is resolved once, with a note, its administrator and an event', async () => {
  const { id, processorReference } = await noted()
  const other = await server.administrator('Other')

  const answers = await Promise.all([resolve(root, id, '  Refunded at Stripe. '), resolve(other, id, 'Mine')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const winner = answers[0].status === 200 ? root : other
  const note = winner === root ? 'Refunded at Stripe.' : 'Mine'
  const resolved = {
    at: server.clock.now().toISOString(),
    by: { id: winner.id, name: winner === root ? 'Root' : 'Other', email: winner.email },
    note,
  }
  expect(answers.find(({ status }) => status === 200)!.body).toMatchObject({ id, resolved })
  const again = await resolve(root, id, 'Again')
  expect([again.status, again.body.code]).toEqual([409, 'MONEY_TO_CHECK_IS_ALREADY_RESOLVED'])

  expect(idsOf(await list())).not.toContain(id)
  expect((await list('?state=resolved')).items).toMatchObject([{ id, resolved }])
  expect(await server.events('attention.resolved')).toEqual([
    {
      actorId: winner.id,
      userId: null,
      data: { attentionId: id, processor: 'stripe', reference: processorReference },
    },
  ])
})

test('an entry stays open without a note, and an unknown one is not found', async () => {
  const { id } = await noted()

  for (const note of ['', '  ', 'x'.repeat(1001)]) expect((await resolve(root, id, note)).status).toBe(400)
  const missing = await resolve(root, newUuid())
  expect([missing.status, missing.body.code]).toEqual([404, 'MONEY_TO_CHECK_NOT_FOUND'])
  expect(idsOf(await list())).toContain(id)
})

test('no other user sees or resolves it', async () => {
  const { id } = await noted()
  const eve = await server.signedUp('Eve')
  for (const person of [eve, shop.owner]) {
    const seen = await person.get('/admin/list-attention')
    expect([seen.status, seen.body.code]).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_LIST_MONEY_TO_CHECK'])
    const done = await resolve(person, id)
    expect([done.status, done.body.code]).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_RESOLVE_MONEY_TO_CHECK'])
  }
  expect((await server.visitor().get('/admin/list-attention')).status).toBe(401)
  expect((await resolve(server.visitor(), id)).status).toBe(401)
})

test('where nothing is sold there is no such list', async () => {
  await using other = await createTestServer({ billing: false })
  const admin = await other.administrator()

  expect((await admin.get('/admin/list-attention')).status).toBe(404)
  expect((await resolve(admin, newUuid())).status).toBe(404)
})
