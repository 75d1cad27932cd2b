import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { days, hours, minutes, seconds } from '../../foundation/clock.ts'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer, type Visitor } from '../../testing.ts'

type Shared = AsyncDisposable & {
  /** A process on the shared database and the shared clock. */
  open(config?: TollgateConfig, env?: Record<string, string>): Promise<TestServer>
}

/** One database for several processes, SQLite or PostgreSQL. */
async function sharedDatabase(): Promise<Shared> {
  const owner = await createTestServer()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-keys-'))
  const { config, database } = owner.tollgate.internals.ctx
  const databaseUrl = database.dialect === 'postgres' ? config.databaseUrl : `sqlite:${path.join(folder, 'keys.db')}`
  return {
    open: (given = {}, env = {}) =>
      createTestServer({ jwt: {}, ...given }, { databaseUrl, clock: owner.clock, env: { ...env } }),
    [Symbol.asyncDispose]: async () => {
      await owner[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

const rotating: TollgateConfig = { jwt: { rotationInterval: 86_400, gracePeriod: 7200 } }
const anotherSecret = { SECRET: 'a newer secret of tests that is long enough too' }

const tokenOf = async (person: Visitor): Promise<string> => (await person.get('/token')).body.token
const signerOf = async (person: Visitor) => decodeProtectedHeader(await tokenOf(person)).kid!
const published = async (server: TestServer): Promise<string[]> =>
  (await server.visitor().get('/jwks')).body.keys.map(({ kid }: { kid: string }) => kid)

async function verifies(server: TestServer, token: string): Promise<boolean> {
  const keys = createLocalJWKSet((await server.visitor().get('/jwks')).body)
  return jwtVerify(token, keys, { currentDate: server.clock.now() }).then(
    () => true,
    () => false,
  )
}

/**
 * Concurrently on PostgreSQL. Two servers in one Node process cannot both wait for SQLite's lock: there they act in
 * turn, each on its earlier read.
 */
async function atOnce<T>(server: TestServer, acts: readonly (() => Promise<T>)[]): Promise<T[]> {
  if (server.tollgate.internals.ctx.database.dialect === 'postgres') return Promise.all(acts.map((act) => act()))
  const results: T[] = []
  for (const act of acts) results.push(await act())
  return results
}

/** The same person at another process of the service. */
function at(server: TestServer, person: Visitor): Visitor {
  const visitor = server.visitor()
  for (const [name, value] of person.cookies) visitor.cookies.set(name, value)
  return visitor
}

test('the private half of a key is sealed in the database', async () => {
  await using server = await createTestServer({ jwt: {} })
  await tokenOf(await server.signedUp())

  const [row, ...others] = await server.tollgate.internals.ctx.db.selectFrom('jwks').selectAll().execute()

  expect(others).toEqual([])
  expect(row).toMatchObject({ createdAt: server.clock.now(), retiresAt: null })
  expect(row?.privateKey).toMatch(/^[0-9a-f]{8}\.[\w-]+$/)
  expect(Object.keys(JSON.parse(row?.publicKey ?? '')).sort()).toEqual(['crv', 'kty', 'x'])
})

test('a key survives a restart', async () => {
  await using shared = await sharedDatabase()
  const first = await shared.open()
  const ada = await first.signedUp()
  const token = await tokenOf(ada)
  await first[Symbol.asyncDispose]()

  await using again = await shared.open()

  expect(await verifies(again, token)).toBe(true)
  expect(await signerOf(at(again, ada))).toBe(decodeProtectedHeader(token).kid)
})

test('without an interval a key signs for ever', async () => {
  await using server = await createTestServer({ jwt: {}, session: { expiresIn: 400 * 86_400 } })
  const ada = await server.signedUp()
  const kid = await signerOf(ada)

  server.clock.advance(days(365))

  expect(await signerOf(ada)).toBe(kid)
})

test('when the interval has passed a new key is published, and signs when every verifier that keeps the keys has read them', async () => {
  await using server = await createTestServer(rotating)
  const ada = await server.signedUp()
  const old = await signerOf(ada)

  server.clock.advance(days(1) - 1)
  expect(await published(server)).toEqual([old])
  server.clock.advance(1)
  const kept = createLocalJWKSet((await server.visitor().get('/jwks')).body)
  const [next, ...others] = await published(server)
  expect(others).toEqual([old])
  server.clock.advance(minutes(5) - 1)
  expect(await signerOf(ada)).toBe(old)
  server.clock.advance(1)
  const first = await tokenOf(ada)

  expect(decodeProtectedHeader(first).kid).toBe(next)
  expect((await jwtVerify(first, kept, { currentDate: server.clock.now() })).payload.sub).toBe(ada.id)
})

test('a verifier’s cached keys verify every token that is signed meanwhile', async () => {
  await using server = await createTestServer({ jwt: { rotationInterval: 400 } })
  const ada = await server.signedUp()
  await tokenOf(ada)

  for (let minute = 0; minute < 60; minute += 5) {
    const kept = createLocalJWKSet((await server.visitor().get('/jwks')).body)
    for (let step = 0; step < 10; step += 1) {
      const token = await tokenOf(ada)
      await expect(jwtVerify(token, kept, { currentDate: server.clock.now() })).resolves.toBeDefined()
      server.clock.advance(seconds(30))
    }
  }
  expect((await published(server)).length).toBeGreaterThan(5)
})

test('a replaced key verifies until its grace has passed', async () => {
  await using server = await createTestServer(rotating)
  const ada = await server.signedUp()
  const old = await signerOf(ada)
  server.clock.advance(days(1))
  await signerOf(ada)
  server.clock.advance(minutes(5) - 1)
  const last = await tokenOf(ada)
  server.clock.advance(1)
  const next = await signerOf(ada)

  expect(await published(server)).toEqual([next, old])
  expect(await verifies(server, last)).toBe(true)
  server.clock.advance(hours(2) - 1)
  expect(await published(server)).toEqual([next, old])
  server.clock.advance(1)
  expect(await published(server)).toEqual([next])
})

test('a key whose grace has passed is swept', async () => {
  await using server = await createTestServer(rotating)
  const ada = await server.signedUp()
  await signerOf(ada)
  server.clock.advance(days(1))
  await signerOf(ada)
  const [next] = await published(server)
  const { ctx } = server.tollgate.internals

  server.clock.advance(hours(3))
  await ctx.jobs.runDue()

  expect(await ctx.db.selectFrom('jwks').select('id').execute()).toEqual([{ id: next }])
})

test('a verifier that looks for keys before the first token is signed finds the one that will sign', async () => {
  await using server = await createTestServer({ jwt: {} })
  const keys = await published(server)

  expect(keys).toEqual([await signerOf(await server.signedUp())])
})

test('many who ask a new process at once get tokens by one key', async () => {
  await using server = await createTestServer({ jwt: {} })
  const ada = await server.signedUp()

  const signers = await Promise.all(Array.from({ length: 10 }, () => signerOf(ada)))

  expect(new Set(signers).size).toBe(1)
  expect(await published(server)).toEqual([signers[0]])
})

test('two processes that start at once sign tokens that verify at both', async () => {
  await using shared = await sharedDatabase()
  await using one = await shared.open()
  await using two = await shared.open()
  const ada = await one.signedUp()

  const answers = await atOnce(
    one,
    [one, two, one, two].map((server) => () => at(server, ada).get('/token')),
  )

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  for (const { body } of answers) {
    expect(await verifies(one, body.token)).toBe(true)
    expect(await verifies(two, body.token)).toBe(true)
  }
  one.clock.advance(minutes(1))
  expect(await signerOf(at(one, ada))).toBe(await signerOf(at(two, ada)))
})

test('two processes that rotate at once make one key between them', async () => {
  await using shared = await sharedDatabase()
  await using one = await shared.open(rotating)
  await using two = await shared.open(rotating)
  const ada = await one.signedUp()
  const old = await signerOf(ada)
  expect(await signerOf(at(two, ada))).toBe(old)

  one.clock.advance(days(1))
  const [first, second] = await atOnce(
    one,
    [one, two].map((server) => () => signerOf(at(server, ada))),
  )

  expect([first, second]).toEqual([old, old])
  const [next, ...others] = await published(one)
  expect(others).toEqual([old])
  one.clock.advance(minutes(5))
  expect([await signerOf(at(one, ada)), await signerOf(at(two, ada))]).toEqual([next, next])
})

test('a new key of another process is published here at once, and signs here as soon as there', async () => {
  await using shared = await sharedDatabase()
  await using here = await shared.open()
  await using there = await shared.open(rotating)
  const ada = await here.signedUp()
  const old = await signerOf(ada)
  here.clock.advance(days(1))
  expect(await signerOf(ada)).toBe(old)

  await tokenOf(at(there, ada))

  const [next] = await published(here)
  expect(next).not.toBe(old)
  for (let minute = 0; minute < 5; minute += 1) {
    expect([await signerOf(ada), await signerOf(at(there, ada))]).toEqual([old, old])
    here.clock.advance(minutes(1))
  }
  expect([await signerOf(ada), await signerOf(at(there, ada))]).toEqual([next, next])
})

test('after a change of SECRET with SECRET_PREVIOUS the same key signs', async () => {
  await using shared = await sharedDatabase()
  await using before = await shared.open()
  const ada = await before.signedUp()
  const kid = await signerOf(ada)
  const previous = before.tollgate.internals.ctx.config.secret

  await using after = await shared.open({}, { ...anotherSecret, SECRET_PREVIOUS: previous })

  expect(await signerOf(at(after, ada))).toBe(kid)
})

test('the server replaces and logs a key that no secret opens, and its old signatures still verify', async () => {
  await using shared = await sharedDatabase()
  await using before = await shared.open()
  const token = await tokenOf(await before.signedUp())

  await using after = await shared.open({}, anotherSecret)
  const kid = await signerOf(await after.signedUp('Grace'))

  expect(kid).not.toBe(decodeProtectedHeader(token).kid)
  expect(await verifies(after, token)).toBe(true)
  expect(after.logs.filter((line) => line.includes('creating a new key'))).toHaveLength(1)
})

test('processes with two secrets, as while they are replaced one by one, do not drive each other to new keys', async () => {
  await using shared = await sharedDatabase()
  await using before = await shared.open()
  const ada = await before.signedUp()
  const old = await signerOf(ada)
  await using after = await shared.open({}, anotherSecret)
  const grace = await after.signedUp('Grace')
  const next = await signerOf(grace)

  for (let round = 0; round < 3; round += 1) {
    before.clock.advance(minutes(2))
    expect([await signerOf(ada), await signerOf(grace)]).toEqual([old, next])
  }

  expect(await published(after)).toEqual([next, old])
})

test('a key that was damaged in the database is replaced', async () => {
  await using server = await createTestServer({ jwt: {} })
  const ada = await server.signedUp()
  const kid = await signerOf(ada)
  const { ctx } = server.tollgate.internals
  await ctx.transaction((tx) => tx.updateTable('jwks').set({ privateKey: 'nothing' }).execute())

  server.clock.advance(minutes(1))

  expect(await signerOf(ada)).not.toBe(kid)
})
