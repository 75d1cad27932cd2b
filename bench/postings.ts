import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Tollgate } from '../packages/server/src/app/server.ts'
import { readProducts } from '../packages/server/src/features/billing/catalog/product.service.ts'
import { readCustomers } from '../packages/server/src/features/billing/customer/customer-view.ts'
import { computeOrder } from '../packages/server/src/features/billing/engine/compute-order.ts'
import { type OrderDraft, postOrder } from '../packages/server/src/features/billing/posting/post-order.service.ts'
import { onEachDatabase, report, startTollgate } from './each-database.ts'

/*
 * How many orders of one seller are posted in a second, each with item, invoice with its number, receipt and events, and
 * without a payment: by one process on SQLite, and by four on PostgreSQL, where they wait for each other's invoice
 * numbers. `node bench/postings.ts`.
 */

const measuredFor = 5_000
/** Transactions of a process that are under way at once. */
const atOnce = 8
/** Orders per second. */
const bar = 400
const config = { billing: { whoMaySell: 'everyone' } } as const

const [, , databaseUrl, organizationId] = process.argv
if (databaseUrl && organizationId) process.stdout.write(`${await work(databaseUrl, organizationId)}\n`)
else await onEachDatabase(measure)

async function measure(name: string, url: string): Promise<void> {
  const tollgate = await startTollgate(url, config)
  const seller = await aSeller(tollgate)
  await tollgate.close()
  const programs = Array.from({ length: name === 'SQLite' ? 1 : 4 }, () => startProgram(url, seller))
  // All of them post in the same seconds.
  for (const { line } of programs) await line()
  for (const { program } of programs) program.stdin.end('go\n')
  const posted = await Promise.all(programs.map(async ({ line }) => Number(await line())))
  const rate = posted.reduce((sum, count) => sum + count, 0) / (measuredFor / 1000)
  const title = `${name}, ${programs.length === 1 ? 'one process' : `${programs.length} processes`}`
  report(title, `${Math.round(rate)} orders/s`, `at least ${bar}`, rate >= bar)
}

/** A process of its own, with the lines that it writes. */
function startProgram(url: string, seller: string) {
  const program = spawn(process.execPath, [fileURLToPath(import.meta.url), url, seller], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
  const line = async (): Promise<string> => {
    const { done, value } = await lines.next()
    if (done) throw new Error('a process has ended before its time')
    return value
  }
  return { program, line }
}

async function work(url: string, seller: string): Promise<number> {
  const tollgate = await startTollgate(url, config)
  const { ctx } = tollgate.internals
  await ctx.jobs.stop()
  const draft = await draftOf(tollgate, seller)
  const post = () => ctx.transaction((tx) => postOrder(ctx, tx, draft))
  for (let warm = 0; warm < 100; warm += 1) await post()
  process.stdout.write('ready\n')
  await once(process.stdin, 'data')
  let posted = 0
  const end = performance.now() + measuredFor
  const poster = async () => {
    while (performance.now() < end) {
      await post()
      posted += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, poster))
  await tollgate.close()
  return posted
}

/** An organization that sells one product to one customer; its id. */
async function aSeller({ api }: Tollgate): Promise<string> {
  const { user } = await api.signUpEmail({
    body: { name: 'Seller', email: 'seller@bench.example', password: 'correct horse battery' },
  })
  const organization = await api.createOrganization({ body: { name: 'Shop', slug: 'shop', userId: user.id } })
  const query = { organizationId: organization.id }
  await api.createProduct({
    body: { name: 'Plan', recurringInterval: null, prices: [{ amountType: 'fixed', priceAmount: 1000 }], ...query },
  })
  await api.createCustomer({ body: { email: 'buyer@bench.example', ...query } })
  return organization.id
}

/** An order that is free to pay: what is measured is posting, not charging. */
async function draftOf({ internals: { ctx } }: Tollgate, seller: string): Promise<OrderDraft> {
  const { id: productId } = await ctx.db.selectFrom('product').select('id').executeTakeFirstOrThrow()
  const { id: customerId } = await ctx.db.selectFrom('customer').select('id').executeTakeFirstOrThrow()
  const product = (await readProducts(ctx.db, seller, [productId])).get(productId)
  const customer = (await readCustomers(ctx, ctx.db, seller, [customerId])).get(customerId)
  if (!product || !customer) throw new Error('the seller has a product and a customer')
  const line = {
    kind: 'price',
    label: product.name,
    quantity: 1,
    unitAmount: '1000',
    amount: 1000,
    productId,
    productPriceId: product.prices[0]?.id ?? null,
    isTaxExempt: false,
    isDiscountable: true,
    period: null,
  } as const
  const computed = computeOrder({
    currency: 'usd',
    taxBehavior: 'exclusive',
    lines: [line],
    discountOn: (base) => base,
    tax: { taxAmount: 0, tax: null },
    balance: 0,
  })
  return {
    organizationId: seller,
    billingReason: 'purchase',
    computed,
    currency: 'usd',
    taxBehavior: 'exclusive',
    product,
    discount: undefined,
    buyer: {
      customer,
      isKnown: true,
      name: 'Buyer',
      email: 'buyer@bench.example',
      taxId: null,
      locale: 'en',
      billingName: 'Buyer',
      billingAddress: { country: 'DE', line1: 'Weg 1', line2: null, postalCode: '10115', city: 'Berlin', state: null },
    },
    checkoutId: null,
    payment: undefined,
    isTest: true,
    customFieldData: {},
    metadata: { run: randomUUID() },
  }
}
