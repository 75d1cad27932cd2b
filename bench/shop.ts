import { DatabaseSync } from 'node:sqlite'
import { scopes } from '../packages/contract/src/billing/scopes.ts'
import { openDatabase } from '../packages/server/src/foundation/db/database.ts'

/** Something that sells: what its API is asked with. */
export type Shop = {
  readonly organizationId: string
  readonly token: string
  readonly productId: string
  /** Open checkouts, by their secrets. */
  readonly checkouts: readonly string[]
  /** What was paid, and can be given back cent by cent. */
  readonly orders?: readonly string[]
  /** Orders of a great many, more than the server caches. */
  readonly seededOrders?: readonly string[]
  /** Where the invoice of something that was sold is read. */
  readonly documentPath?: string
}

/** How many codes a seller has, few and many, and how many orders. */
export const fewCodes = 10
export const manyCodes = 100_000
export const ordersOfOne = 1_000_000

const openCheckouts = 16
const rowsAtOnce = 1000

/** Makes the signed-in user a seller of one product, with discount codes and open checkouts, all by API. */
export async function openShop(port: number, cookie: string): Promise<Shop> {
  const call = async <T>(path: string, headers: Record<string, string>, body: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `http://localhost:${port}`, ...headers },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`)
    return (await response.json()) as T // as each path answers
  }
  const { id } = await call<{ id: string }>('/api/auth/organization/create', { cookie }, { name: 'Shop', slug: 'shop' })
  const asked = { comment: 'Bench', scopes, organization_id: id }
  const { token } = await call<{ token: string }>('/v1/organization-access-tokens', { cookie }, asked)
  const authorization = `Bearer ${token}`
  const price = { amount_type: 'fixed', price_amount: 4900, price_currency: 'usd' }
  const atlas = { name: 'Atlas', recurring_interval: null, prices: [price] }
  const { id: productId } = await call<{ id: string }>('/v1/products', { authorization }, atlas)
  for (let number = 0; number < fewCodes; number += 1) {
    const discount = {
      name: `Code ${number}`,
      code: codeOf(number),
      type: 'percentage',
      basis_points: 1000,
      duration: 'once',
    }
    await call('/v1/discounts', { authorization }, discount)
  }
  const checkouts: string[] = []
  for (let number = 0; number < openCheckouts; number += 1) {
    const body = { products: [productId] }
    checkouts.push((await call<{ client_secret: string }>('/v1/checkouts', { authorization }, body)).client_secret)
  }
  return { organizationId: id, token, productId, checkouts }
}

/** Sells something; answers where its invoice is read. */
export async function sellOne(port: number, { token, productId }: Shop): Promise<string> {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`)
    return response.json()
  }
  const checkout = (await call('POST', '/checkouts', { products: [productId] })) as {
    id: string
    client_secret: string
  } // as it answers
  await call('POST', `/checkouts/client/${checkout.client_secret}/confirm`, confirmation('invoiced@bench.example'))
  const { items } = (await call('GET', `/orders?checkout_id=${checkout.id}`)) as { items: { id: string }[] } // as it answers
  const { url } = (await call('GET', `/orders/${items[0]?.id}/invoice`)) as { url: string } // as it answers
  return new URL(url).pathname
}

/** Sells something expensive as often as refunds run at once, so that no order is ever given back whole; the orders' ids. */
export async function sellToGiveBack(port: number, { token }: Shop, count: number): Promise<string[]> {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`)
    return (await response.json()) as T // as each path answers
  }
  const price = { amount_type: 'fixed', price_amount: 99_999_999, price_currency: 'usd' }
  const product = { name: 'Estate', recurring_interval: null, prices: [price] }
  const { id: productId } = await call<{ id: string }>('POST', '/products', product)
  for (let number = 0; number < count; number += 1) {
    const checkout = await call<{ client_secret: string }>('POST', '/checkouts', { products: [productId] })
    const buyer = confirmation(`estate-${number}@bench.example`)
    await call('POST', `/checkouts/client/${checkout.client_secret}/confirm`, buyer)
  }
  const { items } = await call<{ items: { id: string }[] }>('GET', `/orders?product_id=${productId}&limit=${count}`)
  return items.map(({ id }) => id)
}

/** A code as buyers type it. */
export const codeOf = (number: number): string => `SPRING${String(number).padStart(6, '0')}`

/** Adds unused discount codes to a shop. */
export async function seedCodes(databaseUrl: string, { organizationId }: Shop): Promise<void> {
  const { db, close } = openDatabase(databaseUrl)
  try {
    for (let from = fewCodes; from < manyCodes; from += rowsAtOnce)
      await db
        .insertInto('discount')
        .values(
          Array.from({ length: Math.min(rowsAtOnce, manyCodes - from) }, (_, index) =>
            discountOf(organizationId, from + index),
          ),
        )
        .execute()
  } finally {
    await close()
  }
}

const discountOf = (organizationId: string, number: number) => ({
  id: uuidOf(number),
  organizationId,
  name: `Code ${number}`,
  code: codeOf(number),
  codeKey: codeOf(number).toLowerCase(),
  type: 'percentage' as const,
  duration: 'once' as const,
  basisPoints: 1000,
  redemptionsCount: 0,
  metadata: {},
  createdAt: new Date(Date.UTC(2025, 0, 1) + number * 1000),
})

/** In the form of one, in the order of the numbers. */
const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/**
 * Sells something once, and copies that order until there are as many as are wanted, a minute apart: with every column,
 * snapshot and item that a real one has. Only for SQLite; the copies are made by the database itself. Answers the ids
 * of some.
 */
export async function seedOrders(port: number, databaseUrl: string, shop: Shop, count: number): Promise<string[]> {
  const [secret = ''] = shop.checkouts
  const response = await fetch(`http://127.0.0.1:${port}/v1/checkouts/client/${secret}/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(confirmation('first@bench.example')),
  })
  if (!response.ok) throw new Error(`The first order was refused: ${response.status} ${await response.text()}`)
  const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
  // These rows need not survive a power cut, and an index is built faster from sorted rows than by a million
  // insertions.
  database.exec('pragma busy_timeout = 5000; pragma cache_size = -400000; pragma synchronous = off')
  const indices = dropIndices(database, ['customer', 'order', 'order_item'])
  const customers = Math.ceil(count / 20)
  copy(database, 'customer', customers, {
    id: uuidSql('n'),
    email: "'buyer-' || n || '@bench.example'",
    email_key: "'buyer-' || n || '@bench.example'",
    sole_email_key: "'buyer-' || n || '@bench.example'",
  })
  copy(database, 'order', count, {
    id: uuidSql('n'),
    created_at: `strftime('%Y-%m-%dT%H:%M:%S.000Z', '2024-01-01', '+' || n || ' minutes')`,
    invoice_number: "'SHOP-' || printf('%08d', n + 1)",
    customer_id: uuidSql(`(n % ${customers})`),
    net_amount: '100 + (n * 7919) % 20000',
    status: "case when n % 50 = 0 then 'refunded' else 'paid' end",
    checkout_id: 'null',
  })
  copy(database, 'order_item', count, { id: uuidSql('n'), order_id: uuidSql('n') })
  for (const index of indices) database.exec(index)
  database.prepare('update merchant set orders_count = ?').run(count + 1)
  database.exec('pragma analysis_limit = 1000; analyze')
  database.close()
  return Array.from({ length: Math.min(count, 5000) }, (_, number) => uuidOf(number))
}

/** Takes the indices of some tables away; answers what makes them again. */
function dropIndices(database: DatabaseSync, tables: readonly string[]): string[] {
  const made = database
    .prepare("select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in (?, ?, ?)")
    .all(...tables) as { name: string; sql: string }[]
  for (const { name } of made) database.exec(`drop index "${name}"`)
  return made.map(({ sql }) => sql)
}

const uuidSql = (number: string) => `'00000000-0000-4000-8000-' || printf('%012d', ${number})`

/** Copies in one commit: small enough for the log beside the database to be emptied in between. */
const copiesAtOnce = 50_000

/** Copies the first row of a table, with other values in some columns; `n` counts from 0. */
function copy(database: DatabaseSync, table: string, count: number, other: Record<string, string>): void {
  const names = database.prepare('select name from pragma_table_info(?)').all(table) as { name: string }[]
  const values = names.map(({ name }) => other[name] ?? `one."${name}"`)
  const copies = database.prepare(`with recursive number(n) as (select ? union all select n + 1 from number limit ?)
    insert into "${table}" (${names.map(({ name }) => `"${name}"`).join(', ')})
    select ${values.join(', ')} from number, (select * from "${table}" where rowid = 1) one`)
  for (let from = 0; from < count; from += copiesAtOnce) copies.run(from, Math.min(copiesAtOnce, count - from))
}

/** What a buyer sends to pay. */
export const confirmation = (email: string) => ({
  customer_email: email,
  customer_name: 'Ada Lovelace',
  customer_billing_address: { country: 'DE' },
  confirmation_token_id: 'ctoken_sandbox_success',
})
