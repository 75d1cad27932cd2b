import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createTestServer, testStart } from '../../testing.ts'
import type { Database } from './database.ts'
import { pauses, untilFree } from './foreign-lock.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

/** The program of another process: it takes a file's write lock, reports it, and holds it until the test stops it. */
const holdLock = `
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(process.argv[1])
  database.exec('pragma busy_timeout = 5000; begin immediate')
  process.on('message', () => { database.exec('commit'); database.close(); process.disconnect() })
  process.send('held')
`

type Holder = AsyncDisposable & { release(): Promise<void> }

async function holding(file: string): Promise<Holder> {
  const process_: ChildProcess = spawn(process.execPath, ['-e', holdLock, file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(process_, 'message')
  const release = async () => {
    if (process_.exitCode !== null) return
    const ended = once(process_, 'exit')
    if (process_.connected) process_.send('release')
    await ended
  }
  return { release, [Symbol.asyncDispose]: release }
}

async function withFile(work: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-lock-'))
  try {
    await work(path.join(folder, 'shared.db'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const setValue = (database: Database, value: string) =>
  database.db
    .insertInto('setting')
    .values({ key: 'k', value, updatedAt: testStart })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()

test('while another process writes, health and sessions are answered, and a write waits for its turn', async () => {
  await withFile(async (file) => {
    await using server = await createTestServer({}, { databaseUrl: `sqlite:${file}` })
    const ada = await server.signedUp('Ada')
    await using holder = await holding(file)

    let isDone = false
    const renamed = ada.post('/update-user', { name: 'Ada L.' }).finally(() => {
      isDone = true
    })
    const ready = await server.visitor().request('GET', '/api/health/ready')
    const session = await ada.get('/get-session')
    const sessions = await ada.get('/list-sessions')

    expect([ready.status, session.body.user.name, sessions.body.length, isDone]).toEqual([200, 'Ada', 1, false])
    await holder.release()
    expect((await renamed).status).toBe(200)
    expect((await ada.get('/get-session')).body.user.name).toBe('Ada L.')
  })
})

test('a write is refused as any other where the database is away once another process has held the file for five seconds', async () => {
  await withFile(async (file) => {
    const paused: number[] = []
    const openDatabase = () => openSqlite(file, { pause: async (milliseconds) => paused.push(milliseconds) })
    await using server = await createTestServer({}, { openDatabase })
    const ada = await server.signedUp('Ada')
    await server.tollgate.internals.ctx.jobs.stop()
    await using _ = await holding(file)
    paused.length = 0

    const refused = await ada.post('/update-user', { name: 'Ada L.' })

    expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(paused.reduce((total, each) => total + each, 0)).toBe(5000)
    expect((await ada.get('/get-session')).body.user.name).toBe('Ada')
  })
})

test('a statement outside a transaction waits too, and reads pass it', async () => {
  await withFile(async (file) => {
    const database = openSqlite(file)
    await migrate(database, testStart)
    await setValue(database, 'before')
    await using holder = await holding(file)

    const written = setValue(database, 'after')
    const read = () => database.db.selectFrom('setting').select('value').executeTakeFirst()

    expect(await read()).toEqual({ value: 'before' })
    await holder.release()
    await written
    expect(await read()).toEqual({ value: 'after' })
    await database.close()
  })
})

test('migrations wait for another process, and the event loop goes on', async () => {
  await withFile(async (file) => {
    const first = openSqlite(file)
    await migrate(first, testStart)
    await first.close()
    await using holder = await holding(file)
    const database = openSqlite(file)

    const migrated = migrate(database, testStart)

    await database.ping()
    await holder.release()
    expect(await migrated).toEqual([])
    await database.close()
  })
})

test('several transactions that wait for another process all have their turn', async () => {
  await withFile(async (file) => {
    const database = openSqlite(file)
    await migrate(database, testStart)
    await using holder = await holding(file)

    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`)
    const written = keys.map((key) =>
      database.db
        .transaction()
        .execute((tx) => tx.insertInto('setting').values({ key, value: 'v', updatedAt: testStart }).execute()),
    )
    await database.ping()
    await holder.release()
    await Promise.all(written)

    expect(await database.db.selectFrom('setting').selectAll().execute()).toHaveLength(20)
    await database.close()
  })
})

test('only statements that met a busy file are retried', async () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 261 })
  const failing = (times: number, error: Error) => {
    let attempts = 0
    return () => {
      attempts += 1
      if (attempts <= times) throw error
      return attempts
    }
  }
  const noPause = async () => {}

  expect(await untilFree(failing(3, busy), noPause)).toBe(4)
  expect(await untilFree(failing(pauses.length, busy), noPause)).toBe(pauses.length + 1)
  await expect(untilFree(failing(pauses.length + 1, busy), noPause)).rejects.toBe(busy)
  const full = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
  await expect(untilFree(failing(1, full), noPause)).rejects.toBe(full)
})
