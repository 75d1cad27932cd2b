import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createShop, fixedPrice, newBuyer, type Shop } from '../../../features/billing/testing/shop.ts'
import { createTestServer, type TestServer, testStart } from '../../../testing.ts'
import { snake } from '../codec.ts'
import { tables } from '../tables.ts'
import { quoted } from './catalogue.ts'
import { type Counts, type Row, readHead, TransferRefused } from './format.ts'
import { readAll } from './read-all.ts'
import { writeAll } from './write-all.ts'

/** The usual source: SQLite, whatever database the server moves to. */
const onSqlite = () => createTestServer({}, { databaseUrl: 'sqlite::memory:' })

/** The lines of an export of a server's database. */
async function exported({ tollgate, clock }: TestServer): Promise<string[]> {
  const written: string[] = []
  await readAll(tollgate.internals.ctx.database, {
    now: clock.now(),
    secretMarks: ['mark'],
    write: async (lines) => void written.push(lines),
  })
  const lines = written.join('').split('\n')
  expect(lines.pop()).toBe('')
  return lines
}

async function imported({ tollgate, clock }: TestServer, lines: readonly string[]): Promise<Record<string, number>> {
  const [first, ...rest] = lines
  async function* behindTheFirst() {
    yield* rest
  }
  return writeAll(tollgate.internals.ctx.database, {
    head: readHead(first),
    lines: behindTheFirst(),
    now: clock.now(),
  })
}

/** An export's content in an order that is the same on both databases, for rows and JSON keys. */
const contents = (lines: readonly string[]): string[] =>
  lines.map((line) => JSON.stringify(inOrder({ ...JSON.parse(line), exportedAt: null }))).sort()

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, inOrder(each)])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A shop that uses every kind of column and every reference to a later table. */
async function openShop(server: TestServer): Promise<Shop> {
  const shop = await createShop(server)
  await shop.post('/webhooks/endpoints', {
    url: 'http://127.0.0.1:1/hook',
    events: ['order.created', 'product.created'],
  })
  const meter = { name: 'Calls', filter: { conjunction: 'and', clauses: [] }, aggregation: { func: 'count' } }
  const meterId = (await shop.post('/meters', meter)).body.id
  const usage = { amount_type: 'metered_unit', meter_id: meterId, unit_amount: '0.5' }
  const plan = await shop.product([fixedPrice(1000), usage], 'month', 'Usage\u2028of “everything”')
  const { code } = await shop.discount({ duration: 'forever' })
  const { order } = await shop.buy(plan, { discount_code: code })
  await shop.post('/refunds', {
    order_id: order.id,
    reason: 'other',
    amount: 100,
    metadata: { zz: 'last', a: 1.5, b: true },
  })
  return shop
}

/** Several pages of products, each with the one discount: a key of one column, and a key of two. */
async function fillPages({ tollgate }: TestServer): Promise<void> {
  const { db } = tollgate.internals.ctx
  const others = sql.raw(quoted(Object.keys(tables.product).slice(1).map(snake)))
  await sql`with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 450)
    insert into product (id, ${others}) select 'product-' || number, ${others}
    from numbers, (select * from product limit 1)`.execute(db.withoutPlugins())
  await sql`insert into discount_product select discount.id, product.id from discount, product`.execute(
    db.withoutPlugins(),
  )
}

test('a shop that began on SQLite goes on in the other database, and comes back the same', async () => {
  await using source = await onSqlite()
  await using target = await createTestServer()
  await using back = await onSqlite()
  const shop = await openShop(source)
  const book = await shop.product([fixedPrice(100)])
  await shop.buy(book)
  await fillPages(source)
  // The session refers to another one, at any place in the table.
  const root = await source.administrator()
  await root.post('/admin/impersonate-user', { userId: shop.owner.id, reason: 'to help' })
  // A job that the target runs before it is compared would change its rows.
  await source.tollgate.internals.ctx.jobs.runDue()
  const lines = await exported(source)

  const counts = await imported(target, lines)
  await imported(back, await exported(target))

  expect(counts).toEqual(JSON.parse(lines.at(-1)!).rows)
  expect(counts).toMatchObject({
    user: 2,
    session: 3,
    discountRedemption: 1,
    refund: 1,
    order: 2,
    discountProduct: 452,
  })
  const whole = contents(lines)
  expect(contents(await exported(target))).toEqual(whole)
  expect(contents(await exported(back))).toEqual(whole)

  // Signed-in users stay signed in, others can sign in, and programs keep their tokens.
  const { id, email, password, cookies } = shop.owner
  const moved = target.visitor()
  for (const [name, value] of cookies) moved.cookies.set(name, value)
  expect((await moved.get('/get-session')).body.user.id).toBe(id)
  expect((await target.visitor().post('/sign-in/email', { email, password })).status).toBe(200)
  const headers = { authorization: `Bearer ${shop.token}` }
  const ask = async (method: string, path: string, body?: object) =>
    (await target.visitor().request(method, `/v1${path}`, { headers, ...(body && { body }) })).body
  // Counters continue: invoices, and the order of webhook deliveries.
  const checkout = await ask('POST', '/checkouts', { products: [book] })
  await ask('POST', `/checkouts/client/${checkout.client_secret}/confirm`, {
    ...newBuyer(),
    confirmation_token_id: 'ctoken_sandbox_success',
  })
  const { items } = await ask('GET', `/orders?checkout_id=${checkout.id}`)
  expect(items[0].invoice_number).toMatch(/-0*3$/)
  const messages = await target.tollgate.internals.ctx.db.selectFrom('webhookMessage').select('sequence').execute()
  const sequences = messages.map(({ sequence }) => sequence)
  expect(Math.max(...sequences)).toBeGreaterThan(counts.webhookMessage!)
  expect(new Set(sequences).size).toBe(sequences.length)
  for (const server of [source, target, back])
    expect(server.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})

type Parsed = Record<string, unknown> & { table: string; row: Row; rows: Counts; tables: Record<string, string[]> }

/** A line changed as JSON. */
const edited = (line: string, edit: (parsed: Parsed) => object): string => JSON.stringify(edit(JSON.parse(line)))

const beginsWith = (table: string) => (line: string) => line.startsWith(`{"table":"${table}"`)

/** A file of an older version: its first line and its rows lack some columns. */
const without = (lines: readonly string[], table: string, column: string, migration?: string): string[] => [
  edited(lines[0]!, (head) => ({
    ...head,
    ...(migration && { migration }),
    tables: { ...head.tables, [table]: head.tables[table]!.filter((each) => each !== column) },
  })),
  ...lines
    .slice(1)
    .map((line) =>
      beginsWith(table)(line) ? edited(line, ({ row: { [column]: _, ...row } }) => ({ table, row })) : line,
    ),
]

type Case = [what: string, change: (lines: string[]) => string[], refusal: RegExp]

const refused: Case[] = [
  ['nothing', () => [], /not a Tollgate export/],
  ['something else', () => ['{"product":"other"}'], /not a Tollgate export/],
  ['no JSON', () => ['Tollgate'], /not a Tollgate export/],
  ['a later form', ([head]) => [edited(head!, (each) => ({ ...each, format: 2 }))], /form \(2\) .* newer/],
  ['half a first line', ([head]) => [edited(head!, ({ tables: _, ...rest }) => rest)], /damaged \(its first line/],
  [
    'a later migration',
    ([head, ...rest]) => [edited(head!, (each) => ({ ...each, migration: '9999-later' })), ...rest],
    /newer version .*9999-later/,
  ],
  [
    'an older one whose gaps nobody can fill',
    (lines) => without(lines, 'user', 'email', '0001-foundation'),
    /older version .*: user\.email\. Run tollgate migrate/,
  ],
  ['this one with a gap', (lines) => without(lines, 'user', 'email'), /damaged \(its columns: user\.email/],
  [
    'tables and columns that are not ours',
    ([head, ...rest]) => [
      edited(head!, (each) => ({
        ...each,
        tables: { ...each.tables, pg_authid: ['rolname'], user: [...each.tables.user!, 'shoe'] },
      })),
      ...rest,
    ],
    /damaged \(its columns: user\.shoe, pg_authid/,
  ],
  ['no end', (lines) => lines.slice(0, -1), /damaged \(its end is missing/],
  ['something behind the end', (lines) => [...lines, lines.at(-1)!], /damaged \(something follows/],
  [
    'a row too few',
    (lines) => lines.toSpliced(lines.findIndex(beginsWith('event')), 1),
    /damaged \(the number of rows in event/,
  ],
  ['a row twice', (lines) => lines.toSpliced(1, 0, lines[1]!), /refuses rows of user: .*unique/i],
  ['half a line', (lines) => lines.with(-2, lines.at(-2)!.slice(0, 40)), /damaged \(a line that is neither/],
  [
    'rows of a table that is not ours',
    (lines) => lines.toSpliced(1, 0, '{"table":"rateLimit","row":{}}'),
    /damaged \(rows of a table/,
  ],
  [
    'a value of another kind',
    (lines) =>
      lines.with(
        1,
        edited(lines[1]!, ({ table, row }) => ({ table, row: { ...row, banned: 'no' } })),
      ),
    /damaged \(a value is not of its column/,
  ],
  [
    'a time that is none',
    (lines) =>
      lines.with(
        1,
        edited(lines[1]!, ({ table, row }) => ({ table, row: { ...row, createdAt: 'then' } })),
      ),
    /damaged \(a value is not of its column/,
  ],
  [
    'a row without a value',
    (lines) =>
      lines.with(
        1,
        edited(lines[1]!, ({ table, row: { name: _, ...row } }) => ({ table, row })),
      ),
    /damaged \(a row lacks a value/,
  ],
  [
    'a row that refers to none',
    (lines) => [
      ...lines.slice(0, -1).filter((line) => !beginsWith('user')(line)),
      edited(lines.at(-1)!, ({ rows }) => ({ rows: { ...rows, user: 0 } })),
    ],
    /damaged|refuses rows of account: .*foreign key/i,
  ],
  [
    'a session that was begun in none',
    (lines) => {
      const at = lines.findIndex((line) => line.includes('"impersonatedFrom"') && beginsWith('session')(line))
      const from = edited(lines[at]!, ({ table, row }) => ({ table, row: { ...row, impersonatedFrom: 'nowhere' } }))
      return lines.with(at, from)
    },
    /damaged \(a row refers to one that is not there/,
  ],
]

test('an incomplete export, or one of a later version, is refused, and nothing of it stays', async () => {
  await using source = await onSqlite()
  await using target = await createTestServer()
  const owner = await source.signedUp()
  const root = await source.administrator()
  await root.post('/admin/impersonate-user', { userId: owner.id })
  const lines = await exported(source)
  const before = contents(await exported(target))

  for (const [what, change, refusal] of refused) {
    const error = await imported(target, change([...lines])).catch((cause: unknown) => cause)

    expect([what, error]).toEqual([what, expect.any(TransferRefused)])
    expect([what, String(error)]).toEqual([what, expect.stringMatching(refusal)])
    expect([what, contents(await exported(target))]).toEqual([what, before])
  }
  async function* brokenOff() {
    yield* lines.slice(1)
    throw new Error('the disk is gone')
  }
  const { database } = target.tollgate.internals.ctx
  const broken = writeAll(database, { head: readHead(lines[0]), lines: brokenOff(), now: testStart })
  await expect(broken).rejects.toThrow('the disk is gone')
  expect(contents(await exported(target))).toEqual(before)

  // Columns that an older version lacks stay empty, or get the migration's value for old rows.
  const older = without(without(lines, 'user', 'image', '0006-business'), 'job', 'lane')
  await imported(target, older)
  expect(contents(await exported(target)).filter(beginsWith('job'))).toEqual(contents(lines).filter(beginsWith('job')))
  await expect(imported(target, lines)).rejects.toThrow(/in use \(it has rows in user\)/)
  expect((await exported(target)).filter(beginsWith('user'))).toHaveLength(2)
})

test('a database that migrations are missing in is not exported', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  await sql`delete from migration where name like '0008%'`.execute(ctx.db.withoutPlugins())

  const refusal = exported(server)

  await expect(refusal).rejects.toThrow(/not up to date \(1 migrations to run\): run tollgate migrate/)
  await sql`insert into migration (name, applied_at) values ('0008-open-disputes', '2026-03-01')`.execute(
    ctx.db.withoutPlugins(),
  )
})

test('an export is of one moment, whatever is written during the read', async () => {
  await using server = await createTestServer()
  await server.signedUp('Ada')
  const { database } = server.tollgate.internals.ctx
  // On SQLite the one connection is busy; another process could still write.
  const isShared = database.dialect === 'postgres'
  let later: Promise<unknown> | undefined

  const counts = await readAll(database, {
    now: testStart,
    secretMarks: [],
    write: async () => {
      later ??= server.signedUp('Grace')
      if (isShared) await later
    },
  })
  await later

  expect(counts).toMatchObject({ user: 1, account: 1, session: 1 })
  expect(JSON.parse((await exported(server)).at(-1)!).rows).toMatchObject({ user: 2, account: 2, session: 2 })
})
