import { pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { hashSync as bcryptHash } from '@node-rs/bcrypt'
import { expect, test, vi } from 'vitest'
import { TollgateError } from '../../foundation/error.ts'
import { createLogger } from '../../foundation/log.ts'
import { createTestServer as createServerAt, type TestServer } from '../../testing.ts'
import { createPasswordHasher, type PasswordHasher, passwordCost } from './passwords.ts'
import { listImportedPasswords } from './user.repository.ts'

/** These tests examine hashing, so it costs what it costs in production. */
const createTestServer = () => createServerAt({}, { passwordCost })

const password = 'Pässword of old'
const context = ({ tollgate }: TestServer) => tollgate.internals.ctx

/** Replaces every stored password by a string, as an import would. */
const store = (server: TestServer, hash: string) =>
  context(server).transaction((tx) => tx.updateTable('account').set({ password: hash }).execute())

const stored = async (server: TestServer) =>
  (await context(server).db.selectFrom('account').select('password').executeTakeFirstOrThrow()).password

const signInStatus = async (server: TestServer, email: string, given: string) =>
  (await server.visitor().post('/sign-in/email', { email, password: given })).status

/** In better-auth's format, the salt's hex text is the salt. */
function betterAuthScrypt(given: string): string {
  const salt = randomBytes(16).toString('hex')
  const key = scryptSync(given.normalize('NFKC'), salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 })
  return `${salt}:${key.toString('hex')}`
}

const bcrypt = (given: string): string => bcryptHash(given, 4)

/** Base64 in passlib's form: `.` for `+`, no padding. */
const passlib64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('+', '.').replaceAll('=', '')

const salt = Buffer.from('fbefbeaabbccddeeff00112233445566', 'hex') // Its base64 holds `+` and `/`.
const pbkdf2 = (given: string, digest: string, from: Buffer | string, rounds = 1000): Buffer =>
  pbkdf2Sync(given, from, rounds, digest === 'sha1' ? 20 : digest === 'sha512' ? 64 : 32, digest)

const imported: readonly { name: string; given?: string; hash: string }[] = [
  { name: 'better-auth (scrypt)', hash: betterAuthScrypt(password) },
  { name: 'bcrypt $2b$', hash: bcrypt(password) },
  { name: 'bcrypt $2a$', hash: bcrypt(password).replace('$2b$', '$2a$') },
  { name: 'bcrypt $2y$', hash: bcrypt(password).replace('$2b$', '$2y$') },
  // A published vector, made by another implementation.
  { name: 'bcrypt of others', given: 'U*U', hash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' },
  {
    name: 'PBKDF2 in the PHC format',
    hash: `$pbkdf2-sha256$i=1000$${salt.toString('base64')}$${pbkdf2(password, 'sha256', salt).toString('base64')}`,
  },
  {
    name: 'PBKDF2 of passlib',
    hash: `$pbkdf2-sha256$1000$${passlib64(salt)}$${passlib64(pbkdf2(password, 'sha256', salt))}`,
  },
  {
    name: 'PBKDF2 of passlib with SHA-512',
    hash: `$pbkdf2-sha512$1000$${passlib64(salt)}$${passlib64(pbkdf2(password, 'sha512', salt))}`,
  },
  {
    name: 'PBKDF2 of Django',
    hash: `pbkdf2_sha256$1000$seasalt2$${pbkdf2(password, 'sha256', 'seasalt2').toString('base64')}`,
  },
  {
    name: 'PBKDF2 of Django with SHA-1',
    hash: `pbkdf2_sha1$1000$seasalt2$${pbkdf2(password, 'sha1', 'seasalt2').toString('base64')}`,
  },
]

test.each(imported)(
  'a password imported from $name signs in, and is stored by our own hash afterwards',
  async (row) => {
    const given = row.given ?? password
    await using server = await createTestServer()
    const { email } = await server.signedUp()
    await store(server, row.hash)

    expect(await signInStatus(server, email, `${given}!`)).toBe(401)
    await context(server).settled()
    expect(await stored(server)).toBe(row.hash)

    expect(await signInStatus(server, email, given)).toBe(200)
    await context(server).settled()
    const replaced = await stored(server)
    expect(replaced).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)

    expect(await signInStatus(server, email, given)).toBe(200)
    expect(await signInStatus(server, email, `${given}!`)).toBe(401)
    await context(server).settled()
    expect(await stored(server)).toBe(replaced)
  },
)

test.each([
  ['nothing', ''],
  ['plain text', password],
  ['an unknown kind', '$6$rounds=5000$salt$hash'],
  ['argon2 without a body', '$argon2id$'],
  ['argon2 with a broken body', '$argon2id$v=19$m=19456,t=2,p=1$AAAA$'],
  ['bcrypt without a body', '$2b$'],
  ['bcrypt with a broken body', '$2b$10$too short'],
  ['scrypt with a key too short', `${'a'.repeat(32)}:${'b'.repeat(126)}`],
  ['PBKDF2 without a key', '$pbkdf2-sha256$i=1000$c2FsdA$'],
  // The stored key is a correct but truncated one.
  [
    'PBKDF2 with a key that proves little',
    `$pbkdf2-sha256$i=1000$${salt.toString('base64')}$${pbkdf2(password, 'sha256', salt).subarray(0, 8).toString('base64')}`,
  ],
  ['PBKDF2 without rounds', 'pbkdf2_sha256$x$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ['PBKDF2 with no round', 'pbkdf2_sha256$0$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ['PBKDF2 that would take an hour', 'pbkdf2_sha256$2000000000$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
])('a stored password that is %s fits nothing, and breaks nothing', async (_, hash) => {
  await using server = await createTestServer()
  const { email } = await server.signedUp()
  await store(server, hash)

  for (const given of [password, hash, '']) expect(await signInStatus(server, email, given)).toBe(401)
  expect(await stored(server)).toBe(hash)
})

test('a stored password of an unknown kind is logged, without being shown', async () => {
  await using server = await createTestServer()
  const { email } = await server.signedUp()
  await store(server, '$6$rounds=5000$salt$hash')

  await signInStatus(server, email, password)

  expect(server.logs.some((line) => line.includes('A stored password has an unknown format'))).toBe(true)
  expect(server.logs.join('')).not.toContain('rounds=5000')
})

test('half of a surrogate pair is part of no new password', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const root = await server.administrator()
  const newPassword = `${password}\ud800`
  const { api } = server.tollgate

  const answers = [
    await server.visitor().post('/sign-up/email', { name: 'Eve', email: 'eve@example.com', password: newPassword }),
    await ada.post('/change-password', { currentPassword: ada.password, newPassword }),
    await server.visitor().post('/reset-password', { newPassword, token: 'any' }),
    await root.post('/admin/set-user-password', { userId: ada.id, newPassword }),
    await root.post('/admin/create-user', { name: 'Eve', email: 'eve@example.com', password: newPassword }),
  ]

  for (const { status, body } of answers)
    expect([status, body]).toEqual([400, { code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }])
  await expect(api.setPassword({ body: { newPassword } })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('half of a surrogate pair is a wrong password like any other, whatever the stored hash', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const { passwords } = context(server)
  const ill = `${password}\ud800`
  const bcryptOfIll = bcrypt(ill)
  const answersTo = async (hash: string) => {
    await store(server, hash)
    const answers = []
    for (const given of [ill, `${password}\udfff`, `${password}!`])
      answers.push(await server.visitor().post('/sign-in/email', { email: ada.email, password: given }))
    return answers.map(({ status, body }) => [status, body.code])
  }
  const wrong = Array(3).fill([401, 'INVALID_EMAIL_OR_PASSWORD'])

  for (const hash of [await passwords.hash(ill), bcryptOfIll]) expect(await answersTo(hash)).toEqual(wrong)
  // The replacement character, which both hash to, is one that people can type.
  await store(server, await passwords.hash(ill))
  expect(await signInStatus(server, ada.email, `${password}\ufffd`)).toBe(200)
})

test('a password set meanwhile is not undone by storing the old one anew', async () => {
  await using server = await createTestServer()
  const { email } = await server.signedUp()
  await store(server, bcrypt(password))
  const { passwords } = context(server)
  const chosen = await passwords.hash('chosen meanwhile')
  vi.spyOn(passwords, 'hash').mockImplementationOnce(async () => {
    await store(server, chosen)
    return 'the old password, hashed anew'
  })

  expect(await signInStatus(server, email, password)).toBe(200)
  await context(server).settled()

  expect(await stored(server)).toBe(chosen)
})

test('hashes of one password differ, and each fits it', async () => {
  const hasher = createPasswordHasher(silent, async () => [])

  const [first, second] = await Promise.all([hasher.hash(password), hasher.hash(password)])

  expect(first).not.toBe(second)
  expect(await hasher.verify(first, password)).toEqual({ ok: true, rehash: false })
  expect(await hasher.verify(second, password)).toEqual({ ok: true, rehash: false })
  expect(await hasher.verify(first, password.toLowerCase())).toEqual({ ok: false, rehash: false })
  expect(await hasher.verify(null, password)).toEqual({ ok: false, rehash: false })
})

const silent = createLogger({ level: 'silent', format: 'json', stream: { write: () => {} } })

/** A string that is nearly free to check. */
const cheap = `pbkdf2_sha256$1$seasalt2$${pbkdf2(password, 'sha256', 'seasalt2', 1).toString('base64')}`

test('beyond two hundred waiting hashes the server asks a caller to return later', async () => {
  const hasher = createPasswordHasher(silent, async () => [])
  const atOnce = Math.min(4, availableParallelism())

  const results = await Promise.allSettled(Array.from({ length: 250 }, () => hasher.verify(cheap, password)))

  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(250 - 200 - atOnce)
  expect(refused[0]?.reason).toMatchObject({ code: 'SERVICE_BUSY', retryAfter: 2 })
  expect(await hasher.verify(cheap, password)).toEqual({ ok: true, rehash: true })
})

/** Fills the queue and more. */
const crowd = (hasher: PasswordHasher): Promise<unknown> =>
  Promise.allSettled(Array.from({ length: 250 }, () => hasher.hash(password)))

const quick = { memoryCost: 8, timeCost: 1 }

test.each([
  ['the queue is full', (hasher: PasswordHasher) => void crowd(hasher)],
  ['the imported strings cannot be read', () => Promise.reject(new Error('no database'))],
])('when %s, a right and a wrong password come to the same', async (_, happens) => {
  const outcomeOf = async (given: string) => {
    const hasher = createPasswordHasher(
      silent,
      async () => {
        await happens(hasher)
        return [betterAuthScrypt(password)]
      },
      quick,
    )
    return (await Promise.allSettled([hasher.verify(cheap, given)]))[0]
  }

  const [right, wrong] = await Promise.all([outcomeOf(password), outcomeOf('another')])

  expect(right.status).toBe('rejected')
  expect(wrong).toEqual(right)
})

test('a check that has begun is finished, however many wait behind it', async () => {
  const hasher = createPasswordHasher(silent, async () => [betterAuthScrypt(password)], quick)
  await hasher.verify(null, password)

  const checks = Promise.all([hasher.verify(cheap, password), hasher.verify(cheap, 'another')])
  await setImmediate()
  await crowd(hasher)

  expect(await checks).toEqual([
    { ok: true, rehash: true },
    { ok: false, rehash: false },
  ])
})

test('a busy service answers 503 and when to come back', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const busy = () => Promise.reject(new TollgateError('SERVICE_BUSY', { retryAfter: 2 }))
  const { passwords } = context(server)
  vi.spyOn(passwords, 'hash').mockImplementation(busy)
  vi.spyOn(passwords, 'verify').mockImplementation(busy)

  const answers = await Promise.all([
    server.visitor().post('/sign-in/email', ada),
    server.visitor().post('/sign-up/email', { name: 'Eve', email: 'eve@example.com', password }),
    ada.post('/change-password', { currentPassword: ada.password, newPassword: password }),
    ada.post('/verify-password', { password: ada.password }),
    ada.post('/delete-user', { password: ada.password }),
  ])

  for (const { status, body, headers } of answers) {
    expect([status, body.code]).toEqual([503, 'SERVICE_BUSY'])
    expect(headers.get('retry-after')).toBe('2')
  }
  expect((await ada.get('/get-session')).body.user.email).toBe(ada.email)
})

test('one string of each kind and cost stands for the imported ones, however many there are', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  const [salt, key] = ['0123456789abcdef0123456789abcdef', 'ab'.repeat(64)]
  const imported = [
    '$2b$10$abcdefghijklmnopqrstuuGJ0QvSlvvN3ZEAWcp1vCZfkYFDVp4MO',
    '$2b$12$abcdefghijklmnopqrstuuGJ0QvSlvvN3ZEAWcp1vCZfkYFDVp4MO',
    '$2b$12$bbcdefghijklmnopqrstuuGJ0QvSlvvN3ZEAWcp1vCZfkYFDVp4MO',
    `${salt}:${key}`,
    `f${salt.slice(1)}:${key}`,
    'pbkdf2_sha256$600000$salt$a2V5a2V5a2V5a2V5a2V5a2V5',
  ]
  for (const hash of imported) {
    const { email } = await server.signedUp()
    const user = await ctx.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    await ctx.transaction((tx) =>
      tx.updateTable('account').set({ password: hash }).where('userId', '=', user.id).execute(),
    )
  }

  const found = await listImportedPasswords(ctx.db)

  expect(found.map((hash) => hash.slice(0, 7)).sort()).toEqual(
    ['$2b$10$', '$2b$12$', salt.slice(0, 7), 'pbkdf2_'].sort(),
  )
})

test('a password that fits the string of another user is still wrong', async () => {
  const others = bcrypt('theirs')
  const hasher = createPasswordHasher(silent, async () => [others])

  expect(await hasher.verify(null, 'theirs')).toEqual({ ok: false, rehash: false })
  expect(await hasher.verify(await hasher.hash('mine'), 'theirs')).toEqual({ ok: false, rehash: false })
})
