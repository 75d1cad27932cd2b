import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestServer, type TestServer, testStart } from '../../testing.ts'
import { systemClock } from '../clock.ts'
import { ConfigError } from '../config/config.ts'
import { newId } from '../ids.ts'
import { emit } from '../outbox.ts'
import { isDatabaseUnavailable, isUniqueViolation, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

const insertUser = ({ tollgate }: TestServer, email: string, more: Record<string, unknown> = {}) =>
  tollgate.internals.ctx.transaction((tx) =>
    tx
      .insertInto('user')
      .values({
        id: newId(),
        email,
        name: 'Ada',
        emailVerified: false,
        banned: false,
        createdAt: testStart,
        updatedAt: testStart,
        ...more,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

test('times, flags and JSON come back as they were given, to the millisecond', async () => {
  await using server = await createTestServer()
  const { db, transaction } = server.tollgate.internals.ctx
  const createdAt = new Date('2026-12-31T23:59:59.999Z')

  const user = await insertUser(server, 'a@example.com', { emailVerified: true, banExpires: createdAt, createdAt })
  const values = [{ nested: { list: [1, 'two', null, true] } }, { list: [1, 2] }, { text: 'text', zero: 0 }, {}, null]
  const shared = { name: 'x', requireVerifiedEmail: false, createdAt, updatedAt: createdAt }
  const rows = values.map((metadata, index) => ({ id: `${index}`, slug: `slug-${index}`, ...shared, metadata }))
  await transaction((tx) => tx.insertInto('organization').values(rows).execute())
  const permission = { invoice: ['read', 'write'] }
  const role = { id: 'r', organizationId: '0', role: 'clerk', permission, createdAt, updatedAt: createdAt }
  await transaction((tx) => tx.insertInto('organizationRole').values(role).execute())

  expect(user).toMatchObject({ emailVerified: true, banned: false, banExpires: createdAt, createdAt, image: null })
  const stored = await db.selectFrom('organization').select(['metadata', 'createdAt']).orderBy('id').execute()
  expect(stored.map(({ metadata }) => metadata)).toEqual(values)
  expect(stored[0]?.createdAt).toEqual(createdAt)
  expect(await db.selectFrom('organizationRole').select('permission').execute()).toEqual([{ permission }])
})

test('any text that PostgreSQL can hold comes back unchanged', async () => {
  await using server = await createTestServer()
  const { db, transaction } = server.tollgate.internals.ctx
  const { id } = await insertUser(server, 'a@example.com')

  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 50 }), async (drawn) => {
      const name = drawn.replaceAll('\0', '').toWellFormed()
      await transaction((tx) => tx.updateTable('user').set({ name }).where('id', '=', id).execute())
      const row = await db.selectFrom('user').select('name').where('id', '=', id).executeTakeFirstOrThrow()
      expect(row.name).toBe(name)
    }),
    { numRuns: 30 },
  )
})

test('a second user of an address is refused with an error of its own', async () => {
  await using server = await createTestServer()
  await insertUser(server, 'a@example.com')

  const error = await insertUser(server, 'a@example.com').catch((cause: unknown) => cause)

  expect(isUniqueViolation(error)).toBe(true)
  expect([isUniqueViolation(error, 'email'), isUniqueViolation(error, 'username')]).toEqual([true, false])
  expect(isDatabaseUnavailable(error)).toBe(false)
  await insertUser(server, 'ada@example.com', { username: 'ada' })
  const ofName = await insertUser(server, 'eve@example.com', { username: 'ada' }).catch((cause: unknown) => cause)
  expect([isUniqueViolation(ofName, 'email'), isUniqueViolation(ofName, 'username')]).toEqual([false, true])
  const other = await insertUser(server, 'b@example.com', { name: null }).catch((cause: unknown) => cause)
  expect(other).toBeInstanceOf(Error)
  expect(isUniqueViolation(other)).toBe(false)
  expect(isUniqueViolation(undefined)).toBe(false)
})

test('accounts and sessions go with their user', async () => {
  await using server = await createTestServer()
  await server.signedUp()
  const { db, transaction } = server.tollgate.internals.ctx

  await transaction((tx) => tx.deleteFrom('user').execute())

  expect(await db.selectFrom('account').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('session').selectAll().execute()).toEqual([])
})

test('a session without a user cannot be stored', async () => {
  await using server = await createTestServer()
  const { transaction } = server.tollgate.internals.ctx
  const session = {
    id: 'x',
    userId: 'nobody',
    token: 'x',
    ipAddress: '',
    expiresAt: testStart,
    neverExtended: false,
    methods: 'password',
    authenticatedAt: testStart,
    createdAt: testStart,
    updatedAt: testStart,
  }

  await expect(transaction((tx) => tx.insertInto('session').values(session).execute())).rejects.toThrow()
})

test('the direct read of a session returns the same as the query builder', async () => {
  await using server = await createTestServer()
  await server.signedUp()
  const { db, database } = server.tollgate.internals.ctx
  const session = await db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  const user = await db.selectFrom('user').selectAll().executeTakeFirstOrThrow()

  expect(await database.findSessionRow(session.token)).toEqual({ session, user, active: null })
  expect(await database.findSessionRow('unknown')).toBeUndefined()
})

test('transactions at the same moment do not lose each other’s changes', async () => {
  await using server = await createTestServer()
  const { db, transaction } = server.tollgate.internals.ctx
  await transaction((tx) =>
    tx
      .insertInto('rateLimit')
      .values({ key: 'k', count: 0, expiresAt: new Date('2100-01-01') })
      .execute(),
  )

  await Promise.all(
    Array.from({ length: 30 }, () =>
      transaction((tx) =>
        tx
          .updateTable('rateLimit')
          .set((set) => ({ count: set('count', '+', 1) }))
          .execute(),
      ),
    ),
  )

  expect((await db.selectFrom('rateLimit').select('count').executeTakeFirstOrThrow()).count).toBe(30)
})

test('a transaction that fails leaves nothing, and the next one works', async () => {
  await using server = await createTestServer()
  const { db, transaction } = server.tollgate.internals.ctx

  const failed = transaction(async (tx) => {
    await tx.insertInto('setting').values({ key: 'k', value: 'v', updatedAt: testStart }).execute()
    await tx.insertInto('setting').values({ key: 'k', value: 'v', updatedAt: testStart }).execute()
  })

  await expect(failed).rejects.toThrow()
  expect(await db.selectFrom('setting').selectAll().execute()).toEqual([])
  await transaction((tx) => tx.insertInto('setting').values({ key: 'k', value: 'v', updatedAt: testStart }).execute())
})

test('the database reports its time, which is that of this machine', async () => {
  await using server = await createTestServer()

  const time = await server.tollgate.internals.ctx.database.now()

  expect(Math.abs(time.getTime() - systemClock.now().getTime())).toBeLessThan(60_000)
})

test.each([
  [{ code: 'ECONNREFUSED' }, true],
  [{ code: '57P01' }, true],
  [{ code: '08006' }, true],
  [{ code: '53300' }, true],
  [{ code: '57014' }, true],
  [{ code: '40P01' }, true],
  [{ code: '40001' }, true],
  [{ message: 'Query read timeout' }, true],
  [{ code: 'ERR_SQLITE_ERROR', message: 'database or disk is full' }, true],
  [{ code: 'ERR_SQLITE_ERROR', message: 'database is locked' }, true],
  [{ code: 'ERR_INVALID_STATE', message: 'database is not open' }, true],
  [{ message: 'Connection terminated unexpectedly' }, true],
  [{ message: 'timeout exceeded when trying to connect' }, true],
  [{ code: '23505' }, false],
  [{ code: '42P01' }, false],
  [{ code: 'ERR_SQLITE_ERROR', message: 'no such table: x' }, false],
  [{ message: 'anything else' }, false],
])('%o is the database being away: %s', (error: { code?: string; message?: string }, away) => {
  expect(isDatabaseUnavailable(Object.assign(new Error(error.message), error))).toBe(away)
})

test('a thrown value that is no error is no database failure', () => {
  for (const thrown of [undefined, null, 'ECONNREFUSED', { code: 'ECONNREFUSED' }])
    expect(isDatabaseUnavailable(thrown)).toBe(false)
})

test('the version of sessions moves with every commit that concerns them, and with no other', async () => {
  await using server = await createTestServer({}, { databaseUrl: 'sqlite::memory:' })
  await server.signedUp()
  const { ctx } = server.tollgate.internals
  await ctx.jobs.stop()
  const version = () => ctx.database.version('sessions')

  const before = version()
  await ctx.transaction((tx) =>
    tx.insertInto('setting').values({ key: 'k', value: 'v', updatedAt: testStart }).execute(),
  )
  expect(version()).toBe(before)
  await ctx.transaction(async (tx) => {
    await tx.updateTable('user').set({ name: 'x' }).execute()
    expect(version()).toBeUndefined()
  })
  expect(version()).not.toBe(before)
  const after = version()
  await ctx.transaction((tx) => tx.deleteFrom('session').execute())
  expect(version()).not.toBe(after)
})

test('a write of another process moves it too', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-db-'))
  const url = `sqlite:${path.join(folder, 'two.db')}`
  try {
    await using server = await createTestServer({}, { databaseUrl: url })
    const other = openDatabase(url)
    const { database } = server.tollgate.internals.ctx
    await server.tollgate.internals.ctx.jobs.stop()
    const before = database.version('sessions')

    await other.db.transaction().execute((tx) => tx.updateTable('user').set({ name: 'x' }).execute())
    await other.db
      .transaction()
      .execute((tx) => tx.insertInto('setting').values({ key: 'k', value: 'v', updatedAt: testStart }).execute())

    expect(database.version('sessions')).not.toBe(before)
    await other.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('after two million writes that concern sessions the commits of another process are still seen', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-db-'))
  const file = path.join(folder, 'two.db')
  const openDatabase = () => openSqlite(file, { version: 2 ** 21 })
  try {
    await using server = await createTestServer({}, { openDatabase })
    await server.signedUp()
    const { database, jobs } = server.tollgate.internals.ctx
    await jobs.stop()
    const other = openDatabase()
    const seen = new Set([database.version('sessions')])

    for (const name of ['x', 'y', 'z']) {
      await other.db.transaction().execute((tx) => tx.updateTable('user').set({ name }).execute())
      seen.add(database.version('sessions'))
      await database.db.transaction().execute((tx) => tx.updateTable('user').set({ name }).execute())
      seen.add(database.version('sessions'))
    }

    expect(seen.size).toBe(7)
    await other.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a file is opened under each of its spellings, and durably', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-db-'))
  try {
    const file = path.join(folder, 'deep', 'down', 'x.db')
    for (const url of [`sqlite:${file}`, `file:${file}`, `sqlite://${file}`, `file://${file}`]) {
      const database = openDatabase(url)
      await database.ping()
      await database.close()
      await expect(database.ping()).rejects.toThrow()
    }
    expect(existsSync(file)).toBe(true)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([
  ['a place where nobody can make any', '/proc/nope/deep/x.db', /cannot be made: E[A-Z]+: .*'\/proc/],
  ['a file in the way', `${import.meta.filename}/data/x.db`, /cannot be made: E[A-Z]+: .*database\.test\.ts\/data'/],
])('the error for a folder that cannot be created names its path and the reason: %s', (_, file, reason) => {
  expect(() => openDatabase(`sqlite:${file}`)).toThrow(ConfigError)
  expect(() => openDatabase(`sqlite:${file}`)).toThrow(`DATABASE_URL names the file ${file}, which cannot be made: `)
  expect(() => openDatabase(`sqlite:${file}`)).toThrow(reason)
})

test('a new file, its log and its new folders are private to this system user; existing ones keep their permissions', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-db-'))
  const modeOf = async (name: string) => (await stat(path.join(folder, name))).mode & 0o777
  const fill = async (name: string) => {
    const database = openDatabase(`sqlite:${path.join(folder, name)}`)
    await migrate(database, testStart)
    return database
  }
  try {
    const made = await fill('deep/data/new.db')
    const modes = ['deep', 'deep/data', 'deep/data/new.db', 'deep/data/new.db-wal'].map(modeOf)
    expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600, 0o600])
    await made.close()

    await chmod(path.join(folder, 'deep/data'), 0o750)
    await chmod(path.join(folder, 'deep/data/new.db'), 0o640)
    await (await fill('deep/data/new.db')).close()
    expect([await modeOf('deep/data'), await modeOf('deep/data/new.db')]).toEqual([0o750, 0o640])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('once a commit could not be made durable the database reports that it is broken', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-db-'))
  const database = openDatabase(`sqlite:${path.join(folder, 'x.db')}`)
  try {
    await migrate(database, testStart)
    await database.ping()
    // Without its name the log cannot be opened: the sync fails as on a broken disk.
    await rm(path.join(folder, 'x.db-wal'))

    await expect(database.flush()).rejects.toThrow('ENOENT')

    await expect(database.ping()).rejects.toThrow('ENOENT')
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
})

test('F-failover: the server replaces cut connections without a restart', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const { database, db } = server.tollgate.internals.ctx
  // SQLite has no connections to cut: the server continues.
  if (database.dialect === 'postgres')
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
      db,
    )

  // Each request that gets one of the cut connections detects it.
  const answered = (ask: () => Promise<{ status: number }>) => expect.poll(async () => (await ask()).status).toBe(200)
  await answered(() => ada.get('/get-session'))
  await answered(() => ada.post('/update-user', { name: 'Countess' }))
  await answered(() => ada.get('/get-session'))
  expect((await ada.get('/get-session')).body.user.name).toBe('Countess')
})

/** A route to PostgreSQL that can fall silent, like a network that has lost a machine. */
async function silenceable(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const way = createServer((near) => {
    const far = connect(Number(port || 5432), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  const address = new URL(url)
  address.host = `127.0.0.1:${(way.address() as AddressInfo).port}`
  return {
    url: address.href,
    /** Silences the open connections; new ones get through. */
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause()
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => way.close(resolve))
    },
  }
}

test('F-dbdown: the server cancels a statement that PostgreSQL takes too long to run', async () => {
  await using server = await createTestServer()
  const { database, config } = server.tollgate.internals.ctx
  if (database.dialect === 'sqlite') return // SQLite answers on the same thread and cannot be late
  const quick = openPostgres(config.databaseUrl, { statementTimeout: 100 })
  try {
    const error = await sql`select pg_sleep(60)`.execute(quick.db).catch((cause: unknown) => cause)

    expect([isDatabaseUnavailable(error), (error as { code?: string }).code]).toEqual([true, '57014'])
    await quick.ping()
  } finally {
    await quick.close()
  }
})

test('F-dbdown: a connection that has fallen silent in a transaction is given up, and never used again', async () => {
  await using server = await createTestServer()
  const { database, config } = server.tollgate.internals.ctx
  if (database.dialect === 'sqlite') return // SQLite has no connections that can fall silent
  await using way = await silenceable(config.databaseUrl)
  const db = openPostgres(way.url, { poolSize: 1, queryTimeout: 300 })
  try {
    const failed = db.db.transaction().execute(async (tx) => {
      await tx.insertInto('setting').values({ key: 'k', value: 'v', updatedAt: testStart }).execute()
      way.silence()
      await tx.updateTable('setting').set({ value: 'w' }).execute()
    })
    const error = await failed.catch((cause: unknown) => cause)

    expect(isDatabaseUnavailable(error)).toBe(true)
    // Uses another connection, even with a pool of one; the same holds after a read that is never rolled back.
    await sql`select 1`.execute(db.db)
    way.silence()
    await expect(sql`select 1`.execute(db.db)).rejects.toThrow('Query read timeout')
    await sql`select 1`.execute(db.db)
  } finally {
    await db.close()
  }
})

test('a migration may take as long as it takes', async () => {
  await using server = await createTestServer()
  const { database, db, config } = server.tollgate.internals.ctx
  if (database.dialect === 'sqlite') return // SQLite has no timeouts
  const quick = openPostgres(config.databaseUrl, { statementTimeout: 100, queryTimeout: 200 })
  try {
    const waiting = async () => {
      const { rows } = await sql<{ ms: number }>`
        select extract(epoch from clock_timestamp() - query_start)::float8 * 1000 as ms from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%pg_advisory_xact_lock%'`.execute(
        db,
      )
      return rows[0]?.ms ?? 0
    }
    let migrated: Promise<string[]> | undefined
    await db.transaction().execute(async (tx) => {
      // Another process migrates.
      await sql`select pg_advisory_xact_lock(7031992)`.execute(tx)
      migrated = migrate(quick, testStart)
      await expect.poll(waiting).toBeGreaterThan(400)
    })

    expect(await migrated).toEqual([])
  } finally {
    await quick.close()
  }
})

const undone = () => Object.assign(new Error('deadlock detected'), { code: '40P01' })

test('a transaction that was undone for another one is run again, and only its last round counts', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  const rounds: number[] = []

  const answer = await ctx.transaction(async (tx) => {
    rounds.push(rounds.length + 1)
    await emit(tx, ctx.clock.now(), {
      type: 'user.updated',
      actorId: null,
      userId: 'ada',
      data: { fields: `${rounds.length}` },
    })
    if (rounds.length < 3) throw undone()
    return 'done'
  })

  expect([answer, rounds]).toEqual(['done', [1, 2, 3]])
  expect(await server.events('user.updated')).toEqual([{ actorId: null, userId: 'ada', data: { fields: '3' } }])
})

test('a transaction is begun three times at most, and once where it failed for its own reasons', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  for (const [error, expected] of [
    [undone(), 3],
    [new Error('a fault'), 1],
  ] as const) {
    let rounds = 0
    const failed = ctx.transaction(async () => {
      rounds += 1
      throw error
    })
    await expect(failed).rejects.toBe(error)
    expect(rounds).toBe(expected)
  }
})

test('of two transactions that wait for each other both are done in the end', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  if (ctx.database.dialect === 'sqlite') return // SQLite runs one after the other
  const [ada, bob] = [await server.signedUp('Ada'), await server.signedUp('Bob')]
  let begun = 0
  const bothBegun = Promise.withResolvers<void>()
  const oneIsOver = Promise.withResolvers<void>()
  const rename = async (first: string, second: string, name: string) => {
    await ctx.transaction(async (tx) => {
      // The retry could run before the other transaction wakes up, and conflict with it again.
      if (begun === 2) await oneIsOver.promise
      await tx.updateTable('user').set({ name }).where('id', '=', first).execute()
      begun += 1
      if (begun === 2) bothBegun.resolve()
      await bothBegun.promise
      await tx.updateTable('user').set({ name }).where('id', '=', second).execute()
    })
    oneIsOver.resolve()
  }

  await Promise.all([rename(ada.id, bob.id, 'One'), rename(bob.id, ada.id, 'Two')])

  const names = await ctx.db.selectFrom('user').select('name').distinct().execute()
  expect(names).toHaveLength(1)
  expect(server.logs.filter((line) => line.includes('serialization failure; retrying'))).toHaveLength(1)
})
