import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CompiledQuery } from 'kysely'
import { scopes } from '../packages/contract/src/billing/scopes.ts'
import type { Tollgate } from '../packages/server/src/app/server.ts'
import { copySubscribers } from '../packages/server/src/features/billing/testing/subscribers.ts'
import type { Context } from '../packages/server/src/foundation/context.ts'
import { newUuid } from '../packages/server/src/foundation/ids.ts'
import { restart } from '../packages/server/src/foundation/jobs.ts'
import { onEachDatabase, report, startTollgate } from './each-database.ts'
import { confirmation } from './shop.ts'

/*
 * How many subscriptions of one seller renew in a second, each with its period, order, charge by the sandbox, invoice
 * with its number, receipt by mail and events: by one process on SQLite, and by four on PostgreSQL.
 * `node bench/renewals.ts`.
 */

const subscriptions = 9_000
/** Rows of one statement. */
const atOnce = 100
/** Code is compiled and connections fill their caches: 10 seconds. */
const warmUp = 10_000
const measuredFor = 8_000
/** Renewals per second. */
const bar = 400
/** In milliseconds. */
const longestDelay = 50
const config = { billing: { whoMaySell: 'everyone' }, rateLimit: { enabled: false } } as const

const [, , databaseUrl] = process.argv
if (databaseUrl) await renew(databaseUrl)
else await onEachDatabase(measure)

async function measure(name: string, url: string): Promise<void> {
  const tollgate = await startTollgate(url, config)
  const { ctx } = tollgate.internals
  await sellOne(tollgate)
  await ctx.jobs.stop()
  await subscribeMany(ctx)
  // As autovacuum would have done, had the subscribers come one by one.
  if (ctx.database.dialect === 'postgres') await ctx.db.executeQuery(CompiledQuery.raw('vacuum analyze'))
  const programs = Array.from({ length: name === 'SQLite' ? 1 : 4 }, () => startProgram(url))
  for (const { line } of programs) await line()
  await fallDue(ctx)
  await wait(warmUp)
  const before = await counted(ctx)
  await wait(measuredFor)
  const after = await counted(ctx)
  for (const { program } of programs) program.stdin.end('stop\n')
  const delay = Math.max(...(await Promise.all(programs.map(async ({ line }) => Number(await line())))))
  await tollgate.close()
  const perSecond = (count: number) => Math.round(count / (measuredFor / 1000))
  const rate = perSecond(after.posted - before.posted)
  report(
    `${name}, ${programs.length === 1 ? 'one process' : `${programs.length} processes`}`,
    `${rate} renewals/s, ${perSecond(after.paid - before.paid)} paid/s, event loop p99 ${delay.toFixed(1)} ms`,
    `at least ${bar}, at most ${longestDelay} ms`,
    rate >= bar && delay <= longestDelay,
  )
}

/** A process of its own, with the lines that it writes. */
function startProgram(url: string) {
  const program = spawn(process.execPath, [fileURLToPath(import.meta.url), url], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
  const line = async (): Promise<string> => {
    const { done, value } = await lines.next()
    if (done) throw new Error('a process has ended before its time')
    return value
  }
  return { program, line }
}

/** Runs jobs until its input has a line; then prints the p99 of the event loop's delay, in milliseconds. */
async function renew(url: string): Promise<void> {
  const tollgate = await startTollgate(url, config)
  const delays = monitorEventLoopDelay({ resolution: 1 })
  process.stdout.write('ready\n')
  delays.enable()
  await once(process.stdin, 'data')
  delays.disable()
  process.stdout.write(`${delays.percentile(99) / 1e6}\n`)
  await tollgate.close()
}

/** An organization with a subscriber, made by the calls that a seller and a buyer make. */
async function sellOne({ handler, internals: { ctx } }: Tollgate): Promise<void> {
  const origin = 'http://localhost:3000'
  const call = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const sent = { 'content-type': 'application/json', origin, ...headers }
    const response = await handler(
      new Request(origin + path, { method: 'POST', headers: sent, body: JSON.stringify(body) }),
    )
    const answer = JSON.parse(await response.text())
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${JSON.stringify(answer)}`)
    return {
      answer,
      cookie: response.headers
        .getSetCookie()
        .map((set) => set.split(';')[0])
        .join('; '),
    }
  }
  const seller = { name: 'Seller', email: 'seller@bench.example', password: 'correct horse battery' }
  const { cookie } = await call('/api/auth/sign-up/email', seller)
  const shop = await call('/api/auth/organization/create', { name: 'Shop', slug: 'shop' }, { cookie })
  const asked = { comment: 'Bench', scopes, organization_id: shop.answer.id }
  const { answer: access } = await call('/v1/organization-access-tokens', asked, { cookie })
  const authorization = `Bearer ${access.token}`
  const price = { amount_type: 'fixed', price_amount: 1000, price_currency: 'usd' }
  const plan = { name: 'Plan', recurring_interval: 'month', prices: [price] }
  const product = await call('/v1/products', plan, { authorization })
  const checkout = await call('/v1/checkouts', { products: [product.answer.id] }, { authorization })
  const buyer = confirmation('buyer@bench.example')
  await call(`/v1/checkouts/client/${checkout.answer.client_secret}/confirm`, buyer)
  while ((await counted(ctx)).paid === 0) await wait(20)
}

/** Copies the subscriber with card, subscription and first order. */
async function subscribeMany(ctx: Context): Promise<void> {
  const order = await ctx.db.selectFrom('order').selectAll().executeTakeFirstOrThrow()
  const item = await ctx.db.selectFrom('orderItem').selectAll().executeTakeFirstOrThrow()
  const copies = await copySubscribers(ctx, subscriptions)
  for (let made = 0; made < copies.length; made += atOnce) {
    const orders = copies.slice(made, made + atOnce).map(({ customerId, subscriptionId }) => {
      const id = newUuid()
      return { ...order, customerId, subscriptionId, id, checkoutId: null, invoiceNumber: null, receiptNumber: id }
    })
    await ctx.transaction(async (tx) => {
      await tx.insertInto('order').values(orders).execute()
      const items = orders.map(({ id: orderId }) => ({ ...item, id: newUuid(), orderId }))
      await tx.insertInto('orderItem').values(items).execute()
    })
  }
}

/** All periods end now, and the engine looks. */
async function fallDue({ transaction, clock }: Context): Promise<void> {
  const now = clock.now()
  await transaction(async (tx) => {
    await tx.updateTable('subscription').set({ currentPeriodEnd: now, nextActionAt: now }).execute()
    await restart(tx, now, { id: 'find-renewals', kind: 'find-renewals' })
  })
}

async function counted({ db }: Context): Promise<{ posted: number; paid: number }> {
  const rows = await db
    .selectFrom('order')
    .select(['status', (of) => of.fn.countAll().as('count')])
    .groupBy('status')
    .execute()
  const of = (status: string) => Number(rows.find((row) => row.status === status)?.count ?? 0)
  return { posted: of('paid') + of('pending'), paid: of('paid') }
}
