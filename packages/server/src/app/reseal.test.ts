import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createShop, fixedPrice } from '../features/billing/testing/shop.ts'
import { sealedColumns } from '../features/features.ts'
import type { Context } from '../foundation/context.ts'
import { newUuid } from '../foundation/ids.ts'
import { enqueueMail } from '../foundation/mail/mail.jobs.ts'
import { countOutdated, resealColumn } from '../foundation/sealed-columns.ts'
import { createSecrets } from '../foundation/token.ts'
import { createTestServer, type TestServer } from '../testing.ts'

const oldSecret = 'the old secret of tests that is long enough'
const newSecret = 'the new secret of tests that is long enough'

type Open = (env: Record<string, string>) => Promise<TestServer>

/** Opens servers on one database, one after the other. */
async function onOneDatabase(work: (open: Open) => Promise<void>): Promise<void> {
  await using owner = await createTestServer()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-reseal-'))
  const { config, database } = owner.tollgate.internals.ctx
  const databaseUrl = database.dialect === 'postgres' ? config.databaseUrl : `sqlite:${path.join(folder, 'reseal.db')}`
  try {
    await work((env) => createTestServer({ jwt: {} }, { databaseUrl, clock: owner.clock, env }))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A shop with a saved card, a webhook endpoint, an invitation link, a signing key, tokens of a provider and a waiting mail. */
async function fill(server: TestServer) {
  const { ctx } = server.tollgate.internals
  const shop = await createShop(server)
  const { checkout, order } = await shop.buy(await shop.product([fixedPrice(1900)], 'month'))
  const { body: endpoint } = await shop.post('/webhooks/endpoints', { url: 'https://a.example/', events: [] })
  const owner = await server.signedUp('Owner')
  await owner.post('/organization/create', { name: 'Acme', slug: 'acme' })
  const { body: link } = await owner.post('/organization/create-invitation-link', { role: 'member' })
  await owner.get('/token')
  await ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const token = ctx.secrets.seal('token of a provider', 'provider-token')
    await tx
      .updateTable('account')
      .set({ accessToken: token, refreshToken: token, idToken: token, updatedAt: now })
      .execute()
    const data = { name: 'Ada' }
    await enqueueMail(ctx, tx, { to: 'ada@example.com', locale: 'en', template: 'password-changed', data })
  })
  return { checkout, order, endpoint, link }
}

/** What the sealed columns hold, as this server reads them; a sent mail is no longer there. */
async function opened({ db, secrets }: Context) {
  const values: string[] = []
  for (const { table, column, purpose, isPlainNow } of sealedColumns) {
    if (isPlainNow || table === 'job') continue
    const { rows } = await sql<{ id: string; value: string }>`
      select id, ${sql.ref(column)} as value from ${sql.table(table)}`.execute(db)
    for (const { id, value } of rows) values.push(`${table} ${id} ${column} ${secrets.open(value, purpose)}`)
  }
  return values.sort()
}

test('a change of SECRET loses nothing, once the old secret was SECRET_PREVIOUS for one start', async () => {
  await onOneDatabase(async (open) => {
    let before: readonly string[] = []
    let link = ''
    {
      await using server = await open({ SECRET: oldSecret })
      const made = await fill(server)
      link = made.link.url
      before = await opened(server.tollgate.internals.ctx)
    }
    {
      await using server = await open({ SECRET: newSecret, SECRET_PREVIOUS: oldSecret })
      expect(server.logs.join('\n')).toContain('Stored values no longer need SECRET_PREVIOUS')
    }

    await using after = await open({ SECRET: newSecret })

    const { ctx } = after.tollgate.internals
    expect(await opened(ctx)).toEqual(before)
    expect(new Set(before.map((line) => line.split(' ')[0]))).toEqual(
      new Set(['account', 'checkout', 'invitationLink', 'jwks', 'webhookEndpoint']),
    )
    for (const column of sealedColumns)
      expect([column, await countOutdated(ctx.db, ctx.secrets, column)]).toEqual([column, 0])
    expect(await after.mailsTo('ada@example.com')).toHaveLength(1)
    const token = link.split('/').at(-1)
    expect((await after.visitor().get(`/organization/get-invitation-link?token=${token}`)).status).toBe(200)
  })
})

test('saved cards are charged whatever became of SECRET, also those that a former version sealed', async () => {
  await onOneDatabase(async (open) => {
    {
      await using server = await open({ SECRET: oldSecret })
      const { ctx } = server.tollgate.internals
      await fill(server)
      const [method] = await ctx.db.selectFrom('paymentMethod').selectAll().execute()
      const sealed = ctx.secrets.seal(method!.processorReference, 'payment method')
      await ctx.transaction((tx) => tx.updateTable('paymentMethod').set({ processorReference: sealed }).execute())
    }
    // The update to this version.
    await (await open({ SECRET: oldSecret }))[Symbol.asyncDispose]()

    await using after = await open({ SECRET: newSecret })

    const { ctx } = after.tollgate.internals
    const [method] = await ctx.db.selectFrom('paymentMethod').selectAll().execute()
    const [payment] = await ctx.db.selectFrom('payment').selectAll().execute()
    const paymentId = newUuid()
    await ctx.transaction((tx) =>
      tx
        .insertInto('payment')
        .values({ ...payment!, id: paymentId, checkoutId: null, status: 'pending', processorReference: null })
        .execute(),
    )
    const charged = await ctx.payments.byName('sandbox')!.charge({
      paymentId,
      purpose: 'charge',
      amount: 1900,
      currency: 'usd',
      source: { methodReference: method!.processorReference },
      keepMethod: false,
      offSession: true,
    })
    expect(charged).toMatchObject({ status: 'succeeded', amount: 1900 })
  })
})

test('values that no secret opens are reported, and stay', async () => {
  await onOneDatabase(async (open) => {
    {
      await using server = await open({ SECRET: oldSecret })
      await fill(server)
    }

    await using after = await open({ SECRET: newSecret, SECRET_PREVIOUS: `${newSecret} of others` })

    const { db, secrets } = after.tollgate.internals.ctx
    const log = after.logs.filter((line) => line.includes('opens some stored values'))
    expect(log.length).toBeGreaterThan(4)
    const [endpoint] = await db.selectFrom('webhookEndpoint').selectAll().execute()
    expect(secrets.isCurrent(endpoint!.sealedSecret)).toBe(false)
  })
})

test('of two processes that seal a value anew, one writes it', async () => {
  await onOneDatabase(async (open) => {
    await using server = await open({ SECRET: oldSecret })
    await fill(server)
    const { db } = server.tollgate.internals.ctx
    const process = { db, secrets: createSecrets(newSecret, [oldSecret]) }
    const column = sealedColumns.find(({ table }) => table === 'webhookEndpoint')!

    const both = await Promise.all([resealColumn(process, column), resealColumn(process, column)])

    expect(both.map(({ changed }) => changed).sort()).toEqual([0, 1])
    expect(both.map(({ unreadable }) => unreadable)).toEqual([0, 0])
    expect(await countOutdated(db, process.secrets, column)).toBe(0)
  })
})
