import { expect, test } from 'vitest'
import { createTestServer } from '../../testing.ts'
import { type Db, isUniqueViolation, type Tx } from './database.ts'
import { prepare, prepareForIds } from './prepared.ts'

const eventsOf = prepare((db, given: { userId: string; type: string }) =>
  db
    .selectFrom('event')
    .select(['userId', 'type', 'createdAt'])
    .where('userId', '=', given.userId)
    .where('type', '=', given.type)
    .where('id', '!=', 'a value of its own'),
)

const insertEvent = prepare((db, event: { id: string; actorId?: string; createdAt: Date }) =>
  db.insertInto('event').values({
    id: event.id,
    type: 'prepared',
    actorId: event.actorId,
    userId: 'unknown',
    createdAt: event.createdAt,
  }),
)

/** The events that `insertEvent` has inserted. */
const insertedEvents = (db: Db) => eventsOf(db, { userId: 'unknown', type: 'prepared' })

test('runs with the values of each call, however they are passed, and returns the result of a query', async () => {
  await using server = await createTestServer()
  const { db, clock } = server.tollgate.internals.ctx
  const [ada, bob] = await Promise.all([server.signedUp('ada'), server.signedUp('bob')])
  const createdAt = clock.now()

  for (const { id } of [ada, bob, ada])
    expect(await eventsOf(db, { type: 'user.created', userId: id })).toEqual([
      { userId: id, type: 'user.created', createdAt },
    ])
  expect(await eventsOf(db, { userId: 'nobody', type: 'user.created' })).toEqual([])
})

test('works inside a transaction as outside, and a missing value is NULL', async () => {
  await using server = await createTestServer()
  const { db, clock, transaction } = server.tollgate.internals.ctx
  const createdAt = clock.now()

  await transaction(async (tx) => {
    await insertEvent(tx, { id: 'one', createdAt })
    expect(await insertedEvents(tx)).toHaveLength(1)
  })
  await transaction((tx) => insertEvent(tx, { id: 'two', actorId: 'somebody', createdAt }))

  const rows = await db.selectFrom('event').select('actorId').where('type', '=', 'prepared').orderBy('id').execute()
  expect(rows).toEqual([{ actorId: null }, { actorId: 'somebody' }])
})

test('an insert that fails inside a transaction fails the next statement, or the commit, with its own error', async () => {
  await using server = await createTestServer()
  const { db, clock, transaction } = server.tollgate.internals.ctx
  const createdAt = clock.now()
  await insertEvent(db, { id: 'taken', createdAt })
  const failing = async (work: (tx: Tx) => Promise<unknown>) => {
    const [failed] = await Promise.allSettled([transaction(work)])
    return failed.status === 'rejected' && isUniqueViolation(failed.reason)
  }

  expect(await failing((tx) => insertEvent(tx, { id: 'taken', createdAt }))).toBe(true)
  expect(
    await failing(async (tx) => {
      await insertEvent(tx, { id: 'new', createdAt })
      await insertEvent(tx, { id: 'taken', createdAt })
      await insertedEvents(tx)
    }),
  ).toBe(true)
  await expect(insertEvent(db, { id: 'taken', createdAt })).rejects.toThrow()

  expect(await insertedEvents(db)).toHaveLength(1)
  // The connections work as before.
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => transaction((tx) => insertEvent(tx, { id: `later ${at}`, createdAt }))),
  )
  expect(await insertedEvents(db)).toHaveLength(21)
})

test('a statement with the text of a prepared one still tells how many rows it changed', async () => {
  await using server = await createTestServer()
  const { db, clock, transaction } = server.tollgate.internals.ctx
  const removal = (own: Db, id: string) => own.deleteFrom('event').where('id', '=', id)
  const remove = prepare((own, { id }: { id: string }) => removal(own, id))
  for (const id of ['one', 'two']) await insertEvent(db, { id, createdAt: clock.now() })

  const { numDeletedRows } = await transaction(async (tx) => {
    await remove(tx, { id: 'one' })
    return await removal(tx, 'two').executeTakeFirstOrThrow()
  })

  expect(numDeletedRows).toBe(1n)
  expect(await insertedEvents(db)).toEqual([])
})

test('a table that a newer process gives a column is read and written as before', async () => {
  await using server = await createTestServer()
  const { db, clock, transaction } = server.tollgate.internals.ctx
  const whole = prepare((own) => own.selectFrom('event').selectAll().where('type', '=', 'prepared'))
  const insert = (id: string) => transaction((tx) => insertEvent(tx, { id, createdAt: clock.now() }))
  await insert('before')
  expect(await whole(db, {})).toHaveLength(1)

  await db.schema.alterTable('event').addColumn('added', 'text').execute()

  await insert('after')
  expect(await whole(db, {})).toHaveLength(2)

  await transaction((tx) => whole(tx, {}))
  await db.schema.alterTable('event').addColumn('added_later', 'text').execute()
  expect(await transaction((tx) => whole(tx, {}))).toHaveLength(2)
})

test('is built once for each database', async () => {
  await using server = await createTestServer()
  const { db, transaction } = server.tollgate.internals.ctx
  let built = 0
  const anyone = prepare((given: Db) => {
    built += 1
    return given.selectFrom('user').select('id')
  })

  await anyone(db, {})
  await transaction((tx) => anyone(tx, {}))
  await anyone(db, {})

  expect(built).toBe(1)
})

test('a plugin hears of each run, and may refuse it', async () => {
  await using server = await createTestServer()
  let isRefused = false
  const watched = server.tollgate.internals.ctx.db.withPlugin({
    transformQuery: ({ node }) => {
      if (isRefused) throw new Error('refused')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  expect(await eventsOf(watched, { userId: 'nobody', type: 'user.created' })).toEqual([])

  isRefused = true

  await expect(eventsOf(watched, { userId: 'nobody', type: 'user.created' })).rejects.toThrow('refused')
})

test('a statement about rows by their ids works for any number of them', async () => {
  await using server = await createTestServer()
  const { db, clock } = server.tollgate.internals.ctx
  const ids = Array.from({ length: 12 }, (_, at) => `event ${String(at).padStart(2, '0')}`)
  for (const id of ids) await insertEvent(db, { id, createdAt: clock.now() })

  const found = async (wanted: readonly string[], type = 'prepared') =>
    (await eventsById(db, wanted, { type })).map(({ id }) => id)

  for (const number of [1, 3, 8, 9, 12, 3, 1]) expect(await found(ids.slice(0, number))).toEqual(ids.slice(0, number))
  expect(await found(ids.slice(0, 2), 'another')).toEqual([])
})

const eventsById = prepareForIds((db, ids, { type }: { type: string }) =>
  db.selectFrom('event').select('id').where('id', 'in', ids).where('type', '=', type).orderBy('id'),
)
