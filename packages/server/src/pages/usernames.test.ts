import { expect, test } from 'vitest'
import { createTestServer, type TestAnswer, type TestServer, type Visitor } from '../testing.ts'

const password = 'correct horse battery'
const ada = { name: 'Ada', email: 'ada@example.com', password }

/** The form of each page under test. */
const forms = { '/sign-in': 'sign-in', '/sign-up': 'sign-up', '/account': 'profile' } as const

/** Sends a form as a browser without JavaScript does. */
const send = (visitor: Visitor, path: keyof typeof forms, values: Record<string, string>): Promise<TestAnswer> =>
  visitor.request('POST', path, {
    raw: new URLSearchParams({ form: forms[path], ...values }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

/** The redirect of an accepted form. */
const location = ({ status, headers }: TestAnswer): unknown => [status, headers.get('location')]

/** The state of a refused form. */
const stateOf = ({ text }: TestAnswer): unknown =>
  JSON.parse(/<script id="props" type="application\/json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null').data.state

const namesOf = async (visitor: Visitor) => {
  const { username, displayUsername } = (await visitor.get('/get-session')).body.user
  return { username, displayUsername }
}

async function signedUp(server: TestServer, person: Record<string, string>): Promise<Visitor> {
  const visitor = server.visitor()
  expect(location(await send(visitor, '/sign-up', person))).toEqual([303, '/'])
  return visitor
}

test('the sign-in page takes an address or a username in its one field', async () => {
  await using server = await createTestServer()
  const visitor = await signedUp(server, { ...ada, username: ' Ada.L ' })
  expect(await namesOf(visitor)).toEqual({ username: 'ada.l', displayUsername: 'Ada.L' })

  for (const email of ['ada.l', ' ADA.L ', ada.email])
    expect(location(await send(server.visitor(), '/sign-in', { email, password }))).toEqual([303, '/'])
})

test.each([
  ['a wrong password', { email: 'ada', password: 'wrong horse battery' }, 401, 'INVALID_USERNAME_OR_PASSWORD'],
  ['an unknown username', { email: 'nobody', password }, 401, 'INVALID_USERNAME_OR_PASSWORD'],
  ['a username that is too short', { email: 'ad', password }, 422, 'USERNAME_IS_TOO_SHORT'],
  ['nothing', { email: ' ', password }, 400, 'IDENTIFIER_REQUIRED'],
  ['an address that is none', { email: 'ada@', password }, 400, 'INVALID_EMAIL'],
])('a sign-in with %s comes back with its reason', async (_, values, status, code) => {
  await using server = await createTestServer()
  await signedUp(server, { ...ada, username: 'ada' })

  const answer = await send(server.visitor(), '/sign-in', values)

  expect(answer.status).toBe(status)
  expect(JSON.stringify(stateOf(answer))).toContain(`"${code}"`)
  expect(stateOf(answer)).toMatchObject({ values: { email: values.email } })
})

test('where usernames are off the field takes an address only', async () => {
  await using server = await createTestServer({ username: false })

  const answer = await send(server.visitor(), '/sign-in', { email: 'ada', password })

  expect(answer.status).toBe(400)
  expect(JSON.stringify(stateOf(answer))).toContain('"INVALID_EMAIL"')
})

test('where addresses must be verified, a sign-in by username mails a link that leads to the page', async () => {
  await using server = await createTestServer({ emailAndPassword: { requireEmailVerification: true } })
  await send(server.visitor(), '/sign-up', { ...ada, username: 'ada' })

  const answer = await send(server.visitor(), '/sign-in', { email: 'ada', password })

  expect(answer.status).toBe(403)
  expect(JSON.stringify(stateOf(answer))).toContain('"EMAIL_NOT_VERIFIED"')
  expect(new URLSearchParams((await server.linkTo(ada.email)).split('?')[1]).get('callbackURL')).toBe('/verify-email')
})

test('a sign-up with the username left blank makes a user without one; a taken one comes back', async () => {
  await using server = await createTestServer()
  await signedUp(server, { ...ada, username: 'ada' })

  const eve = await signedUp(server, { ...ada, email: 'eve@example.com', username: ' ' })
  const refused = await send(server.visitor(), '/sign-up', { ...ada, email: 'grace@example.com', username: 'ADA' })

  expect(await namesOf(eve)).toEqual({ username: null, displayUsername: null })
  expect(refused.status).toBe(422)
  expect(JSON.stringify(stateOf(refused))).toContain('"USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER"')
  expect(stateOf(refused)).toMatchObject({ values: { username: 'ADA' } })
})

test('the profile form gives, changes and keeps a username', async () => {
  await using server = await createTestServer()
  const visitor = await signedUp(server, ada)
  const save = (values: Record<string, string>) => send(visitor, '/account', { name: 'Ada', ...values })
  const saved = [303, '/account?done=saved']

  expect(location(await save({ username: '', displayUsername: '' }))).toEqual(saved)
  expect(await namesOf(visitor)).toEqual({ username: null, displayUsername: null })

  expect(location(await save({ username: 'Ada.L', displayUsername: '' }))).toEqual(saved)
  expect(await namesOf(visitor)).toEqual({ username: 'ada.l', displayUsername: 'Ada.L' })

  expect(location(await save({ username: 'ada.l', displayUsername: ' The Countess ' }))).toEqual(saved)
  expect(await namesOf(visitor)).toEqual({ username: 'ada.l', displayUsername: 'The Countess' })

  // A form without these fields leaves them unchanged.
  expect(location(await save({}))).toEqual(saved)
  expect(await namesOf(visitor)).toEqual({ username: 'ada.l', displayUsername: 'The Countess' })

  const blank = await save({ username: ' ', displayUsername: '' })
  expect(blank.status).toBe(422)
  expect(JSON.stringify(stateOf(blank))).toContain('"USERNAME_IS_TOO_SHORT"')
  expect(await namesOf(visitor)).toEqual({ username: 'ada.l', displayUsername: 'The Countess' })
})
