import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { after, hours, minutes, seconds } from '../../foundation/clock.ts'
import { newUuid } from '../../foundation/ids.ts'
import { enqueue, type JobKind } from '../../foundation/jobs.ts'
import { createTestServer, type Person, type TestAnswer, type TestServer } from '../../testing.ts'
import { createShop, fixedPrice } from '../billing/testing/shop.ts'

let server: TestServer
let root: Person
let eve: Person

beforeAll(async () => {
  server = await createTestServer()
  root = await server.administrator('Root')
  eve = await server.signedUp('Eve')
  await server.tollgate.internals.ctx.jobs.runDue()
})
beforeEach(() =>
  server.tollgate.internals.ctx.transaction((tx) => tx.deleteFrom('job').where('deadAt', 'is not', null).execute()),
)
afterAll(() => server[Symbol.asyncDispose]())

type Dead = { id: string; kind?: JobKind; minutesAgo?: number; payload?: string }

/** Inserts dead jobs. */
const die = (...jobs: Dead[]) =>
  server.tollgate.internals.ctx.transaction(async (tx) => {
    const now = server.clock.now()
    for (const { id, kind = 'mail', minutesAgo = 0, payload = '' } of jobs) {
      await enqueue(tx, now, { id, kind, payload })
      const dead = { deadAt: after(now, -minutes(minutesAgo)), attempts: 8, lastError: `${id} failed` }
      await tx.updateTable('job').set(dead).where('id', '=', id).execute()
    }
  })
const stored = async (id: string) =>
  server.tollgate.internals.ctx.db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()
const list = async (query = '') => {
  const { status, body } = await root.get(`/admin/list-dead-jobs?${query}`)
  expect([status, body]).toEqual([200, body])
  return body as { jobs: { id: string }[]; nextCursor: string | null; counts: unknown[] }
}
const refusal = ({ status, body }: TestAnswer) => [status, body.code]

test('lists the jobs that failed for good, the latest first', async () => {
  await die({ id: 'old', minutesAgo: 60, kind: 'account-mail' }, { id: 'new' })
  await server.tollgate.internals.ctx.transaction((tx) =>
    enqueue(tx, server.clock.now(), {
      id: 'waits',
      kind: 'mail',
      payload: '',
      runAt: after(server.clock.now(), hours(1)),
    }),
  )

  const { jobs, nextCursor, counts } = await list()

  const now = server.clock.now()
  expect(nextCursor).toBeNull()
  expect(counts).toEqual([
    { kind: 'account-mail', count: 1 },
    { kind: 'mail', count: 1 },
  ])
  expect(jobs).toEqual([
    {
      id: 'new',
      kind: 'mail',
      subject: null,
      attempts: 8,
      error: 'new failed',
      createdAt: now.toISOString(),
      deadAt: now.toISOString(),
    },
    {
      id: 'old',
      kind: 'account-mail',
      subject: null,
      attempts: 8,
      error: 'old failed',
      createdAt: now.toISOString(),
      deadAt: after(now, -hours(1)).toISOString(),
    },
  ])
  expect((await list('kind=account-mail')).jobs.map(({ id }) => id)).toEqual(['old'])
})

test('also lists failing jobs that are still retried, the oldest first', async () => {
  const { ctx } = server.tollgate.internals
  const now = server.clock.now()
  const runAt = after(now, hours(1))
  await ctx.transaction(async (tx) => {
    for (const [id, attempts, lastError] of [
      ['patient', 4, 'nobody answers'],
      ['young', 3, 'once more'],
      ['well', 0, null],
    ] as const) {
      await enqueue(tx, now, { id, kind: 'reconcile-payment', payload: 'gone', runAt })
      await tx.updateTable('job').set({ attempts, lastError }).where('id', '=', id).execute()
    }
  })

  const { failing } = (await root.get('/admin/list-dead-jobs')).body

  expect(failing).toEqual([
    {
      id: 'patient',
      kind: 'reconcile-payment',
      subject: { type: 'payment', id: 'gone', recipient: null, organization: null },
      attempts: 4,
      error: 'nobody answers',
      createdAt: now.toISOString(),
      nextAt: runAt.toISOString(),
    },
  ])
  await ctx.transaction((tx) => tx.deleteFrom('job').where('kind', '=', 'reconcile-payment').execute())
})

test('shows the job’s object and owner, and nothing else of its input', async () => {
  const { ctx } = server.tollgate.internals
  const shop = await createShop(server)
  const { order } = await shop.buy(await shop.product([fixedPrice(1000)]))
  const paymentId: string = (await shop.get(`/payments?order_id=${order.id}`)).body.items[0].id
  const asked = { order_id: order.id, reason: 'customer_request', amount: 100 }
  const refundId: string = (await shop.post('/refunds', asked)).body.id
  const url = 'https://works.example.com/reset-password/secret'
  const mail = ctx.secrets.seal(
    JSON.stringify({ to: 'ada@example.com', locale: 'en', template: 'reset-password', data: { name: 'Ada', url } }),
  )
  const organization = { id: shop.organizationId, name: expect.stringMatching(/^Seller/) }
  const told = (fields: object) => JSON.stringify({ name: 'stripe', ...fields })
  const cases: readonly [JobKind, payload: string, subject: object | null][] = [
    ['mail', mail, { type: 'mail', id: 'reset-password', recipient: 'ada@example.com' }],
    ['mail', `${mail}x`, null],
    ['account-mail', ctx.secrets.seal(JSON.stringify({ purpose: 'reset-password', email: 'ada@example.com' })), null],
    ['join-by-domain', eve.id, { type: 'user', id: eve.id }],
    ['reconcile-payment', paymentId, { type: 'payment', id: paymentId, organization }],
    ['reconcile-refund', refundId, { type: 'refund', id: refundId, organization }],
    ['processor-event', told({ paymentId }), { type: 'payment', id: paymentId, organization }],
    ['processor-event', told({ refundId }), { type: 'refund', id: refundId, organization }],
    ['processor-event', told({ refundReference: 're_1' }), { type: 'processor_refund', id: 're_1' }],
    ['processor-event', told({ disputeReference: 'dp_1' }), { type: 'processor_dispute', id: 'dp_1' }],
    ['processor-event', told({ later: 'x' }), null],
    ['rename-custom-field', '{"customFieldId":"field"}', { type: 'custom_field', id: 'field' }],
    ['remove-file', 'file', { type: 'file', id: 'file' }],
    ['webhook-endpoint', 'endpoint', { type: 'webhook_endpoint', id: 'endpoint' }],
    ['webhook-endpoint', '{"endpointId":"endpoint"}', { type: 'webhook_endpoint', id: 'endpoint' }],
    ['sweep', '', null],
  ]
  await die(...cases.map(([kind, payload], at) => ({ id: `job${at}`, kind, payload })))

  const { text, body } = await root.get('/admin/list-dead-jobs')

  const answered = body.jobs.map(({ id, subject }: { id: string; subject: unknown }) => [id, subject])
  const rest = { recipient: null, organization: null }
  const expected = cases.map(([, , subject], at) => [`job${at}`, subject && { ...rest, ...subject }])
  expect(Object.fromEntries(answered)).toEqual(Object.fromEntries(expected))
  expect(text).not.toContain('works.example.com')
})

test('goes on where the page before ended, also among those that died together, and while some are retried', async () => {
  await die(...Array.from({ length: 7 }, (_, at) => ({ id: `job${at}`, minutesAgo: Math.floor(at / 3) })))
  const whole = (await list()).jobs.map(({ id }) => id)

  const first = await list('limit=3')
  await root.post('/admin/retry-job', { jobId: first.jobs.at(-1)!.id })
  const second = await list(`limit=3&cursor=${first.nextCursor}`)
  const third = await list(`limit=3&cursor=${second.nextCursor}`)

  expect([first, second, third].flatMap(({ jobs }) => jobs.map(({ id }) => id))).toEqual(whole)
  expect(third.nextCursor).toBeNull()
  for (const query of [
    'limit=201',
    'limit=x',
    'cursor=x',
    `cursor=${Buffer.from('["createdAt","desc","x","y"]').toString('base64url')}`,
  ])
    expect([query, (await root.get(`/admin/list-dead-jobs?${query}`)).status]).toEqual([query, 400])
})

test('retrying a job runs it at once, with all its attempts, and the log records who retried it', async () => {
  await die({ id: 'remove-me', kind: 'remove-file', payload: newUuid() }, { id: 'no-order', kind: 'account-mail' })

  for (const jobId of ['remove-me', 'no-order'])
    expect((await root.post('/admin/retry-job', { jobId })).body).toEqual({ success: true })

  expect((await server.events('job.retried')).slice(-2)).toMatchObject([
    { actorId: root.id, data: { jobId: 'remove-me', kind: 'remove-file' } },
    { actorId: root.id, data: { jobId: 'no-order', kind: 'account-mail' } },
  ])
  // The retried jobs run before the test can look at them, so their result proves what they were.
  await server.tollgate.internals.ctx.jobs.runDue()
  expect(await stored('remove-me')).toBeUndefined()
  const failed = await stored('no-order')
  expect(failed).toMatchObject({
    attempts: 1,
    deadAt: null,
    leaseUntil: null,
    runAt: after(server.clock.now(), seconds(10)),
  })
  expect(failed?.lastError).not.toBe('no-order failed')
})

test('all of a kind are retried together, and the others stay as they are', async () => {
  await die({ id: 'a' }, { id: 'b' }, { id: 'c', kind: 'account-mail' })

  expect((await root.post('/admin/retry-jobs', { kind: 'mail' })).body).toEqual({ count: 2 })

  expect((await list()).jobs.map(({ id }) => id)).toEqual(['c'])
  expect((await server.events('job.retried')).at(-1)).toMatchObject({ data: { kind: 'mail', count: 2 } })
  const before = await server.events('job.retried')
  expect((await root.post('/admin/retry-jobs', { kind: 'mail' })).body).toEqual({ count: 0 })
  expect(await server.events('job.retried')).toEqual(before)
  await server.tollgate.internals.ctx.transaction((tx) => tx.deleteFrom('job').where('kind', '=', 'mail').execute())
})

test('removing a job deletes it for good, and the log records who removed it', async () => {
  await die({ id: 'unwanted' })

  expect((await root.post('/admin/remove-job', { jobId: 'unwanted' })).body).toEqual({ success: true })

  expect(await stored('unwanted')).toBeUndefined()
  expect((await server.events('job.removed')).at(-1)).toMatchObject({
    actorId: root.id,
    data: { jobId: 'unwanted', kind: 'mail' },
  })
})

test('a job that is not dead, or not there, is neither retried nor removed; nor is one twice', async () => {
  await die({ id: 'once' })
  const calls = ['/admin/retry-job', '/admin/remove-job']

  for (const call of calls)
    for (const jobId of ['sweep', 'nobody', `${'x'.repeat(64)}`])
      expect([call, ...refusal(await root.post(call, { jobId }))]).toEqual([call, 404, 'JOB_NOT_FOUND'])
  expect(await stored('sweep')).toMatchObject({ deadAt: null })
  const answers = await Promise.all([1, 2, 3].map(() => root.post('/admin/remove-job', { jobId: 'once' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
})

test('a user who does not administer is refused, and so is a user acting as another', async () => {
  await die({ id: 'safe' })
  const calls = (person: Pick<Person, 'get' | 'post'>) =>
    Promise.all([
      person.get('/admin/list-dead-jobs'),
      person.post('/admin/retry-job', { jobId: 'safe' }),
      person.post('/admin/retry-jobs', { kind: 'mail' }),
      person.post('/admin/remove-job', { jobId: 'safe' }),
    ])

  expect((await calls(server.visitor())).map(({ status }) => status)).toEqual([401, 401, 401, 401])
  const [listed, ...others] = await calls(eve)
  expect(refusal(listed!)).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_LIST_JOBS'])
  for (const other of others) expect(refusal(other)).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_MANAGE_JOBS'])
  expect(await stored('safe')).toMatchObject({ attempts: 8, lastError: 'safe failed' })
})
