import { expect, test } from 'vitest'
import type { TollgateConfig } from '../../foundation/config/config.ts'
import { createTestServer, type TestServer, type Visitor } from '../../testing.ts'

const password = 'correct horse battery'
const ada = { name: 'Ada', email: 'ada@example.com', password }
const eve = { name: 'Eve', email: 'eve@example.com', password }
const taken = {
  code: 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER',
  message: 'username is already taken. please try another.',
}

const userOf = async (visitor: Visitor) => (await visitor.get('/get-session')).body.user

const storedUsers = ({ tollgate }: TestServer) => tollgate.internals.ctx.db.selectFrom('user').selectAll().execute()

async function signedUp(server: TestServer, person: object): Promise<Visitor> {
  const visitor = server.visitor()
  expect((await visitor.post('/sign-up/email', person)).status).toBe(200)
  return visitor
}

test.each([
  ['as it was typed', { username: 'Ada.L' }, { username: 'ada.l', displayUsername: 'Ada.L' }],
  [
    'by another name',
    { username: 'ada', displayUsername: 'The Countess' },
    { username: 'ada', displayUsername: 'The Countess' },
  ],
  ['not at all', {}, { username: null, displayUsername: null }],
])('sign-up keeps a username in lower case, and shows it %s', async (_, given, kept) => {
  await using server = await createTestServer()

  const visitor = await signedUp(server, { ...ada, ...given })

  expect(await userOf(visitor)).toMatchObject(kept)
})

test('update-user gives a username, changes it, and signs in by it from then on', async () => {
  await using server = await createTestServer({ session: { cookieCache: { enabled: true } } })
  const visitor = await signedUp(server, ada)
  const signIn = async (username: string) =>
    (await server.visitor().post('/sign-in/username', { username, password })).status

  const { status, body } = await visitor.post('/update-user', { username: 'Ada' })
  expect([status, body]).toEqual([200, { status: true }])
  expect(await userOf(visitor)).toMatchObject({ username: 'ada', displayUsername: 'Ada' })
  expect(await signIn('ada')).toBe(200)

  await visitor.post('/update-user', { username: 'Countess', displayUsername: 'The Countess' })
  expect(await userOf(visitor)).toMatchObject({ username: 'countess', displayUsername: 'The Countess' })
  expect([await signIn('ada'), await signIn('countess')]).toEqual([401, 200])
  expect((await server.events('user.updated')).map(({ data }) => data)).toEqual([
    { fields: 'username,displayUsername' },
    { fields: 'username,displayUsername' },
  ])
})

test("one's own username is none to take, in any case", async () => {
  await using server = await createTestServer()
  const visitor = await signedUp(server, { ...ada, username: 'ada' })

  const { status } = await visitor.post('/update-user', { username: 'ADA' })

  expect(status).toBe(200)
  expect(await userOf(visitor)).toMatchObject({ username: 'ada', displayUsername: 'ADA' })
  expect((await server.events('user.updated')).map(({ data }) => data)).toEqual([{ fields: 'displayUsername' }])
})

test('the username stays when only other things change, and when the shown name is taken away', async () => {
  await using server = await createTestServer()
  const visitor = await signedUp(server, { ...ada, username: 'ada', displayUsername: 'The Countess' })

  await visitor.post('/update-user', { name: 'Ada Lovelace' })
  expect(await userOf(visitor)).toMatchObject({ username: 'ada', displayUsername: 'The Countess' })

  await visitor.post('/update-user', { displayUsername: null })
  expect(await userOf(visitor)).toMatchObject({ username: 'ada', displayUsername: 'ada' })
})

const refusals: readonly [string, Record<string, unknown>, string, string][] = [
  ['too short', { username: 'ad' }, 'USERNAME_IS_TOO_SHORT', 'username is too short'],
  ['empty', { username: '' }, 'USERNAME_IS_TOO_SHORT', 'username is too short'],
  ['too long', { username: 'a'.repeat(31) }, 'USERNAME_IS_TOO_LONG', 'username is too long'],
  ['of other characters', { username: 'ada l' }, 'USERNAME_IS_INVALID', 'username is invalid'],
  ['taken', { username: 'EVE' }, taken.code, taken.message],
  [
    'shown by a name with a line break',
    { username: 'ada', displayUsername: 'Ada\nL' },
    'USERNAME_IS_INVALID',
    'username is invalid',
  ],
  [
    'shown by a name of over 100 characters',
    { username: 'ada', displayUsername: 'a'.repeat(101) },
    'USERNAME_IS_INVALID',
    'username is invalid',
  ],
]

test.each(refusals)(
  'a username that is %s is refused at sign-up and in update-user',
  async (_, given, code, message) => {
    await using server = await createTestServer()
    await signedUp(server, { ...eve, username: 'eve' })
    const grace = await signedUp(server, { ...ada, email: 'grace@example.com' })

    const signUp = await server.visitor().post('/sign-up/email', { ...ada, ...given })
    const update = await grace.post('/update-user', { ...given, name: 'Changed' })

    expect([signUp.status, signUp.body]).toEqual([422, { code, message }])
    expect([update.status, update.body]).toEqual([422, { code, message }])
    expect(await storedUsers(server)).toHaveLength(2)
    expect(await userOf(grace)).toMatchObject({ name: 'Ada', username: null })
    expect(await server.events('user.updated')).toEqual([])
  },
)

test.each([
  ['a number', { username: 1 }],
  ['null', { username: null }],
  ['longer than a text may be', { username: 'a'.repeat(2049) }],
  ['shown by a list', { displayUsername: ['ada'] }],
])('a username that is %s is no valid body', async (_, given) => {
  await using server = await createTestServer()
  const visitor = await signedUp(server, ada)

  const signUp = await server.visitor().post('/sign-up/email', { ...eve, ...given })
  const update = await visitor.post('/update-user', given)

  expect([signUp.body.code, update.body.code]).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR'])
})

test('of several sign-ups with one username at the same moment one gets it', async () => {
  await using server = await createTestServer()
  const people = [1, 2, 3, 4].map((each) => ({ ...ada, email: `ada${each}@example.com`, username: 'ada' }))

  const answers = await Promise.all(people.map((person) => server.visitor().post('/sign-up/email', person)))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  for (const { status, body } of answers) if (status === 422) expect(body).toEqual(taken)
  expect(await storedUsers(server)).toHaveLength(1)
  expect(await server.events('user.created')).toHaveLength(1)
})

test('of several people who take one username at the same moment one gets it', async () => {
  await using server = await createTestServer()
  const people: Visitor[] = []
  for (const each of [1, 2, 3, 4]) people.push(await signedUp(server, { ...ada, email: `ada${each}@example.com` }))

  const answers = await Promise.all(people.map((person) => person.post('/update-user', { username: 'ada' })))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  for (const { status, body } of answers) if (status === 422) expect(body).toEqual(taken)
  expect((await storedUsers(server)).filter(({ username }) => username === 'ada')).toHaveLength(1)
  expect(await server.events('user.updated')).toHaveLength(1)
})

test('a username that becomes free can be taken', async () => {
  await using server = await createTestServer()
  const visitor = await signedUp(server, { ...ada, username: 'ada' })
  await visitor.post('/update-user', { username: 'countess' })
  const other = await signedUp(server, { ...eve, username: 'ada' })
  await other.post('/delete-user', { password })

  const third = await signedUp(server, { ...eve, username: 'ada' })

  expect(await userOf(third)).toMatchObject({ username: 'ada' })
})

test.each<[string, TollgateConfig]>([
  ['neutral', { emailAndPassword: { requireEmailVerification: true } }],
  ['open', {}],
])(
  'the answer to a taken username is the same for known and unknown addresses where sign-up is %s',
  async (_, config) => {
    await using server = await createTestServer(config)
    await signedUp(server, { ...eve, username: 'eve' })
    const ask = async (email: string) => {
      const { status, body, headers } = await server
        .visitor()
        .post('/sign-up/email', { ...ada, email, username: 'eve' })
      return [status, body, [...headers].filter(([name]) => name !== 'x-request-id')]
    }

    const ofKnown = await ask(eve.email)

    expect(ofKnown.slice(0, 2)).toEqual([422, taken])
    expect(await ask('nobody@example.com')).toEqual(ofKnown)
  },
)

test('trying usernames that are taken does not use up the mails of an address', async () => {
  await using server = await createTestServer({
    rateLimit: { enabled: true, customRules: { '/sign-up/*': false } },
  })
  await signedUp(server, { ...eve, username: 'eve' })
  for (let round = 0; round < 6; round += 1)
    expect((await server.visitor().post('/sign-up/email', { ...ada, username: 'eve' })).status).toBe(422)

  await signedUp(server, { ...ada, username: 'ada' })

  expect(await server.mailsTo(ada.email)).toHaveLength(1)
})

test('where usernames are off they are ignored', async () => {
  await using server = await createTestServer({ username: false })
  const visitor = await signedUp(server, { ...ada, username: 'x', displayUsername: 'The\nCountess' })

  const { status } = await visitor.post('/update-user', { username: '!', displayUsername: 'Ada' })

  expect(status).toBe(200)
  expect(await userOf(visitor)).toMatchObject({ username: null, displayUsername: null })
})

test('a configured validator decides in place of the characters, and one that fails is a fault', async () => {
  await using server = await createTestServer({
    username: {
      minUsernameLength: 2,
      usernameValidator: async (name) => {
        if (name === 'broken') throw new Error('validator is down')
        return name !== 'admin'
      },
    },
  })
  const visitor = await signedUp(server, { ...ada, username: 'É-' })

  expect(await userOf(visitor)).toMatchObject({ username: 'é-', displayUsername: 'É-' })
  expect((await visitor.post('/update-user', { username: 'admin' })).body.code).toBe('USERNAME_IS_INVALID')
  expect((await visitor.post('/is-username-available', { username: 'E\u0301-' })).body).toEqual({ available: false })
  const { status, body } = await visitor.post('/update-user', { username: 'broken' })
  expect([status, body]).toEqual([500, { code: 'UNEXPECTED_ERROR', message: 'unexpected error' }])
})

test('an administrator who acts as a user cannot change the username, and may send it along unchanged', async () => {
  await using server = await createTestServer()
  const visitor = await signedUp(server, { ...ada, username: 'ada' })
  const { transaction } = server.tollgate.internals.ctx
  await transaction((tx) => tx.updateTable('session').set({ impersonatedBy: 'an administrator' }).execute())

  const changed = await visitor.post('/update-user', { username: 'eve', name: 'Changed' })
  const same = await visitor.post('/update-user', { username: 'Ada', name: 'Ada Lovelace' })

  expect([changed.status, changed.body.code]).toEqual([403, 'NOT_ALLOWED_WHILE_IMPERSONATING'])
  expect(same.status).toBe(200)
  expect(await userOf(visitor)).toMatchObject({ username: 'ada', name: 'Ada Lovelace' })
})

test('a shown name that would not fit into the session cookie is refused at sign-up and later', async () => {
  await using server = await createTestServer({
    session: { cookieCache: { enabled: true } },
    username: { maxUsernameLength: 255, usernameValidator: () => true },
  })
  const visitor = await signedUp(server, { ...ada, image: `https://pictures.example/${'a'.repeat(1600)}` })
  const long = { username: '𝔄漢'.repeat(120) }

  const signUp = await server
    .visitor()
    .post('/sign-up/email', { ...eve, ...long, image: `https://pictures.example/${'a'.repeat(1600)}` })
  const update = await visitor.post('/update-user', long)

  expect([signUp.body.code, update.body.code]).toEqual(['SESSION_DATA_TOO_LARGE', 'SESSION_DATA_TOO_LARGE'])
  expect(await storedUsers(server)).toHaveLength(1)
})

test('a user who does not sign in cannot change a username', async () => {
  await using server = await createTestServer()

  expect((await server.visitor().post('/update-user', { username: 'ada' })).status).toBe(401)
})
