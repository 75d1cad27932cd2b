import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepJobId } from '../../app/sweep.ts'
import { createTestMerchant, type TestMerchant } from '../../features/billing/testing/merchant.ts'
import { createTestServer, type TestServer } from '../../testing.ts'
import { after, days, hours, minutes, systemClock } from '../clock.ts'
import { answeredOnce } from './idempotency.ts'

let server: TestServer
let merchant: TestMerchant

beforeAll(async () => {
  server = await createTestServer()
  merchant = await createTestMerchant(server)
})
afterAll(() => server[Symbol.asyncDispose]())

let made = 0
/** A new field and an unused key. */
const something = () => {
  made += 1
  return { key: `key-${made}`, field: { type: 'text', slug: `field-${made}`, name: `Field ${made}`, properties: {} } }
}
const create = (key: string, field: object, by = merchant) =>
  by.post('/custom-fields', field, { 'idempotency-key': key })
const count = async (slug: string) => (await merchant.get(`/custom-fields?query=${slug}`)).body.items.length
const rows = () => server.tollgate.internals.ctx.db.selectFrom('idempotencyKey').selectAll().execute()
const problem = (body: { error: string }) => body.error

describe('a request with an idempotency key', () => {
  test('is carried out once and answered alike, for a day', async () => {
    const { key, field } = something()

    const first = await create(key, field)
    server.clock.advance(hours(23))
    const second = await create(key, field)

    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.text).toBe(first.text)
    expect(await count(field.slug)).toBe(1)
    server.clock.advance(hours(1))
    // A day later it runs like any other request: the field already exists.
    expect((await create(key, field)).status).toBe(422)
  })

  test('is refused when it is another request: body, query or call', async () => {
    const { key, field } = something()
    await create(key, field)

    const headers = { 'idempotency-key': key }
    const answers = [
      await create(key, { ...field, name: 'Another' }),
      await merchant.post('/discounts', { ...field, type: 'percentage' }, headers),
      await merchant.post(`/custom-fields?organization_id=${merchant.organizationId}`, field, headers),
    ]

    expect(answers.map(({ status, body }) => [status, problem(body)])).toEqual(
      answers.map(() => [409, 'IdempotencyKeyReused']),
    )
  })

  test('that was refused may be mended under the same key', async () => {
    const { key, field } = something()

    const refused = await create(key, { ...field, name: '' })
    expect(refused.status).toBe(422)
    const mended = await create(key, field)

    expect([mended.status, await count(field.slug)]).toEqual([201, 1])
  })

  test('is whose token or organization it is: others use the same key for theirs', async () => {
    const other = await createTestMerchant(server)
    const { key, field } = something()

    const mine = await create(key, field)
    const theirs = await create(key, field, other)
    const { owner, organizationId } = merchant
    const byOwner = await owner.request('POST', `/v1/custom-fields?organization_id=${organizationId}`, {
      body: { ...field, slug: `${field.slug}-owner` },
      headers: { 'idempotency-key': key },
    })

    expect([mine.status, theirs.status, byOwner.status]).toEqual([201, 201, 201])
    expect(new Set([mine.body.id, theirs.body.id, byOwner.body.id]).size).toBe(3)
  })

  test('is carried out once when it comes ten times at the same moment', async () => {
    const { key, field } = something()

    const answers = await Promise.all(Array.from({ length: 10 }, () => create(key, field)))

    const done = answers.filter(({ status }) => status === 201)
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    for (const { status, body } of answers)
      if (status !== 201) expect([status, problem(body)]).toEqual([409, 'IdempotencyKeyInUse'])
    expect(await count(field.slug)).toBe(1)
    expect((await create(key, field)).text).toBe(done[0]!.text)
  })

  test.each(['', ' ', 'x'.repeat(256)])('wants a key of 1 to 255 characters, not %j', async (key) => {
    const { status, body } = await create(key, something().field)

    expect([status, body.detail?.[0].loc]).toEqual([422, ['header', 'Idempotency-Key']])
  })

  test('may hold a secret that is shown once: the stored answer cannot be read in the table', async () => {
    const { owner, organizationId } = merchant
    const ask = () =>
      owner.request('POST', '/v1/organization-access-tokens', {
        body: { comment: 'Once', scopes: ['orders:read'], organization_id: organizationId },
        headers: { 'idempotency-key': 'a-token' },
      })

    const { body, text } = await ask()

    expect(body.token).toMatch(/^tollgate_oat_/)
    expect((await ask()).text).toBe(text)
    expect(JSON.stringify(await rows())).not.toContain(body.token)
  })
})

test('an answer that a change of SECRET made unreadable is reported as lost, and the call is not repeated', async () => {
  const { key, field } = something()
  await create(key, field)
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) => tx.updateTable('idempotencyKey').set({ answerBody: 'gone.AAAA' }).execute())

  const { status, body } = await create(key, field)

  expect([status, problem(body)]).toEqual([409, 'IdempotencyAnswerLost'])
  expect(await count(field.slug)).toBe(1)
})

test('a declined payment replays like any answer, and is retried only under another key', async () => {
  const prices = [{ amount_type: 'fixed', price_amount: 1500 }]
  const { body: product } = await merchant.post('/products', { name: 'Atlas', recurring_interval: null, prices })
  const { body: checkout } = await merchant.post('/checkouts', { products: [product.id] })
  const confirm = (key: string, card: string, secret: string = checkout.client_secret) =>
    server.visitor().request('POST', `/v1/checkouts/client/${secret}/confirm`, {
      headers: { 'idempotency-key': key },
      body: {
        customer_email: 'ada@example.com',
        customer_name: 'Ada',
        customer_billing_address: { country: 'DE' },
        confirmation_token_id: `ctoken_sandbox_${card}`,
      },
    })
  const attempts = async () => (await merchant.get(`/payments?checkout_id=${checkout.id}`)).body.items.length

  const declined = [await confirm('pay', 'decline'), await confirm('pay', 'decline')]

  expect(declined.map(({ status, body }) => [status, problem(body)])).toEqual(declined.map(() => [400, 'PaymentError']))
  expect(declined[1]?.text).toBe(declined[0]?.text)
  expect(await attempts()).toBe(1)
  expect((await confirm('pay', 'success')).status).toBe(409)
  const paid = await confirm('pay-2', 'success')
  expect((await confirm('pay-2', 'success')).text).toBe(paid.text)
  expect([paid.status, await attempts()]).toEqual([200, 2])
  // Another checkout's secret is another owner of keys.
  const { body: other } = await merchant.post('/checkouts', { products: [product.id] })
  expect((await confirm('pay', 'success', other.client_secret)).status).toBe(200)
})

describe('a run that ended in the middle', () => {
  /** Leaves a run's row as a crashed process does. */
  async function died(state: 'pending' | 'changed', leaseUntil: Date, field: object, key: string) {
    const { ctx } = server.tollgate.internals
    const before = new Set((await rows()).map((row) => row.key))
    await create(key, field)
    const row = (await rows()).find((each) => !before.has(each.key))!
    await ctx.transaction(async (tx) => {
      if (state === 'pending')
        await tx
          .deleteFrom('customField')
          .where('slug', '=', (field as { slug: string }).slug)
          .execute()
      await tx
        .updateTable('idempotencyKey')
        .set({ state, leaseUntil, answerBody: null })
        .where('key', '=', row.key)
        .execute()
    })
  }
  const over = () => after(systemClock.now(), -1)

  test('before it changed anything runs again', async () => {
    const { key, field } = something()
    await died('pending', over(), field, key)

    const again = await create(key, field)

    expect([again.status, await count(field.slug)]).toEqual([201, 1])
    expect((await create(key, field)).text).toBe(again.text)
  })

  test('after its change the request never runs twice: its answer is lost, and the error states it', async () => {
    const { key, field } = something()
    await died('changed', over(), field, key)

    const answers = [await create(key, field), await create(key, field)]

    expect(answers.map(({ status, body }) => [status, problem(body)])).toEqual(
      answers.map(() => [409, 'IdempotencyAnswerLost']),
    )
    expect(await count(field.slug)).toBe(1)
  })

  test('may still be under way while its lease lasts', async () => {
    const { key, field } = something()
    await died('changed', after(systemClock.now(), minutes(1)), field, key)

    const { status, body } = await create(key, field)

    expect([status, problem(body)]).toEqual([409, 'IdempotencyKeyInUse'])
  })

  test('by taking too long changes nothing any more once another one has taken over', async () => {
    const { ctx } = server.tollgate.internals
    const keyed = { key: 'slow', who: ['tests'], call: 'slow', given: { body: {}, query: {}, params: {} } }
    const row = { id: 'slow-row', slug: 'never' }

    const slow = answeredOnce(ctx, keyed, async (context) => {
      await ctx.transaction((tx) =>
        tx.updateTable('idempotencyKey').set({ leaseUntil: over() }).where('state', '=', 'pending').execute(),
      )
      const quick = await answeredOnce(ctx, keyed, async () => ({
        status: 200,
        answer: { first: true },
        headers: {},
        redirect: undefined,
      }))
      expect(quick.answer).toEqual({ first: true })
      await context.transaction((tx) =>
        tx.insertInto('setting').values({ key: row.id, value: '', updatedAt: server.clock.now() }).execute(),
      )
      return { status: 200, answer: {}, headers: {}, redirect: undefined }
    })

    await expect(slow).rejects.toMatchObject({ error: 'IDEMPOTENCY_KEY_IN_USE' })
    const found = await ctx.db.selectFrom('setting').selectAll().where('key', '=', row.id).execute()
    expect(found).toEqual([])
  })
})

test('an answer that is too long to be kept is carried out once all the same', async () => {
  const { ctx } = server.tollgate.internals
  const keyed = { key: 'long', who: ['tests'], call: 'long', given: { body: {}, query: {}, params: {} } }
  let runs = 0
  const run = () =>
    answeredOnce(ctx, keyed, async () => {
      runs += 1
      return { status: 200, answer: 'x'.repeat(600_000), headers: {}, redirect: undefined }
    })

  await run()

  await expect(run()).rejects.toMatchObject({ error: 'IDEMPOTENCY_ANSWER_LOST' })
  expect(runs).toBe(1)
})

test('work in the background after the answer goes on', async () => {
  const { ctx } = server.tollgate.internals
  const keyed = { key: 'later', who: ['tests'], call: 'later', given: { body: {}, query: {}, params: {} } }
  let later: (() => Promise<unknown>) | undefined

  await answeredOnce(ctx, keyed, async (context) => {
    later = () =>
      context.transaction((tx) =>
        tx.insertInto('setting').values({ key: 'later', value: '', updatedAt: server.clock.now() }).execute(),
      )
    return { status: 200, answer: {}, headers: {}, redirect: undefined }
  })
  await later?.()

  const found = await ctx.db.selectFrom('setting').select('key').where('key', '=', 'later').execute()
  expect(found).toHaveLength(1)
})

test('billing’s temporary data is removed when it expires', async () => {
  const { ctx } = server.tollgate.internals
  const { field, key } = something()
  await create(key, field)
  const soon = after(server.clock.now(), hours(1))
  await ctx.transaction(async (tx) => {
    const [createdAt, card] = [server.clock.now(), 'success']
    const token = { card, brand: 'visa', lastFour: '4242', expMonth: 1, expYear: 2040, expiresAt: soon, createdAt }
    await tx
      .insertInto('sandboxToken')
      .values({ id: 'swept', ...token })
      .execute()
  })
  const left = async () => [
    (await rows()).length > 0,
    (await ctx.db.selectFrom('sandboxToken').select('id').where('id', '=', 'swept').execute()).length,
  ]
  const sweep = async (): Promise<unknown> => {
    await ctx.transaction((tx) =>
      tx.updateTable('job').set({ runAt: server.clock.now() }).where('id', '=', sweepJobId).execute(),
    )
    return ctx.jobs.runDue()
  }

  await sweep()
  expect(await left()).toEqual([true, 1])
  server.clock.advance(days(1))
  await sweep()
  expect(await left()).toEqual([false, 0])
})
