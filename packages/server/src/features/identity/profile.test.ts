import { expect, test } from 'vitest'
import { createTestServer } from '../../testing.ts'
import { normalizeEmail, normalizeImage, normalizeName } from './profile-rules.ts'

const cached = { session: { cookieCache: { enabled: true } } }

test('update-user changes name and picture and renews the cookies', async () => {
  await using server = await createTestServer(cached)
  const ada = await server.signedUp('Ada')
  server.clock.advance(5000)

  const { status, body, headers } = await ada.post('/update-user', {
    name: ' Ada Lovelace ',
    image: 'https://pictures.example/ada.png',
  })

  expect([status, body]).toEqual([200, { status: true }])
  expect(headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual([
    'better-auth.session_token',
    'better-auth.session_data',
  ])
  const { user } = (await ada.get('/get-session')).body
  expect(user).toMatchObject({
    name: 'Ada Lovelace',
    image: 'https://pictures.example/ada.png',
    updatedAt: server.clock.now().toISOString(),
  })
  expect(await server.events('user.updated')).toEqual([
    { actorId: user.id, userId: user.id, data: { fields: 'name,image' } },
  ])
})

test.each([null, ''])('a picture is taken away by %j', async (image) => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  await ada.post('/update-user', { image: 'https://pictures.example/ada.png' })

  const { status } = await ada.post('/update-user', { image })

  expect(status).toBe(200)
  expect((await ada.get('/get-session')).body.user.image).toBeNull()
})

test('an empty body changes nothing and is no failure', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const before = (await ada.get('/get-session')).body.user

  const { status, body } = await ada.post('/update-user', {})

  expect([status, body]).toEqual([200, { status: true }])
  expect((await ada.get('/get-session')).body.user).toEqual(before)
  expect(await server.events('user.updated')).toEqual([])
})

test('fields that a user may not change are ignored', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const before = (await ada.get('/get-session')).body.user

  const given = { id: 'mine', role: 'admin', emailVerified: true, banned: true, createdAt: '2000-01-01T00:00:00.000Z' }
  const { status } = await ada.post('/update-user', given)

  expect(status).toBe(200)
  expect((await ada.get('/get-session')).body.user).toEqual(before)
})

test("one person's change leaves the others as they are", async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const eve = await server.signedUp('Eve')

  await eve.post('/update-user', { name: 'Mallory', id: (await ada.get('/get-session')).body.user.id })

  expect((await ada.get('/get-session')).body.user.name).toBe('Ada')
  expect((await eve.get('/get-session')).body.user.name).toBe('Mallory')
})

test('two concurrent changes both succeed, and each sends an event', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const answers = await Promise.all([
    ada.post('/update-user', { name: 'Countess' }),
    ada.post('/update-user', { image: 'https://pictures.example/ada.png' }),
  ])

  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await ada.get('/get-session')).body.user).toMatchObject({
    name: 'Countess',
    image: 'https://pictures.example/ada.png',
  })
  expect(await server.events('user.updated')).toHaveLength(2)
})

test.each<[string, unknown, string, string]>([
  ['the address is given', { email: 'new@example.com' }, 'EMAIL_CAN_NOT_BE_UPDATED', 'Email can not be updated'],
  ['the address is null', { email: null }, 'EMAIL_CAN_NOT_BE_UPDATED', 'Email can not be updated'],
  ['the name has a line break', { name: 'Ada\nBcc: eve@example.com' }, 'INVALID_NAME', 'Invalid name'],
  ['the name is too long', { name: 'x'.repeat(101) }, 'INVALID_NAME', 'Invalid name'],
  ['the picture is a script', { image: 'javascript:alert(1)' }, 'INVALID_IMAGE', 'Invalid image'],
  ['the name is a number', { name: 1 }, 'VALIDATION_ERROR', 'Invalid body parameters'],
  [
    'the picture is longer than 2048',
    { image: `https://a.example/${'x'.repeat(2048)}` },
    'VALIDATION_ERROR',
    'Invalid body parameters',
  ],
])('update-user is refused when %s', async (_, given, code, message) => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')

  const { status, body } = await ada.post('/update-user', given)

  expect([status, body]).toEqual([400, { code, message }])
  expect((await ada.get('/get-session')).body.user).toMatchObject({ name: 'Ada', image: null, email: ada.email })
  expect(await server.events('user.updated')).toEqual([])
})

test('a profile that would not fit into the session cookie is refused, and nothing is stored', async () => {
  await using server = await createTestServer(cached)
  const ada = await server.signedUp('Ada')

  const { status, body } = await ada.post('/update-user', {
    name: '𝒜'.repeat(100),
    image: `https://pictures.example/${'a'.repeat(2000)}`,
  })

  expect([status, body]).toEqual([400, { code: 'SESSION_DATA_TOO_LARGE', message: 'Session data is too large' }])
  expect((await ada.get('/get-session?disableCookieCache=true')).body.user).toMatchObject({ name: 'Ada', image: null })
})

test('a session whose user has been deleted meanwhile changes nothing', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()
  const phone = server.visitor()
  await phone.post('/sign-in/email', ada)
  await ada.post('/delete-user', { password: ada.password })

  const { status, body } = await phone.post('/update-user', { name: 'Ghost' })

  expect([status, body]).toEqual([401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }])
})

test.each<[string, string | null]>([
  ['ada@example.com', 'ada@example.com'],
  [' Ada@Example.COM\n', 'ada@example.com'],
  ['ada+tag@sub.example.co.uk', 'ada+tag@sub.example.co.uk'],
  ["o'hara@example.com", "o'hara@example.com"],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada\uff20example.com', 'ada@example.com'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  [`${'a'.repeat(65)}@example.com`, null],
  [`ada@${'a'.repeat(63)}.example`, `ada@${'a'.repeat(63)}.example`],
  [`ada@${'a'.repeat(64)}.example`, null],
  [`ada@${'abcdefg.'.repeat(31)}example`, null],
  ['', null],
  ['@', null],
  ['ada@', null],
  ['@example.com', null],
  ['ada@localhost', null],
  ['ada@127.0.0.1', null],
  ['ada@[127.0.0.1]', null],
  ['ada@-example.com', null],
  ['ada@exa_mple.com', null],
  ['ada@example..com', null],
  ['.ada@example.com', null],
  ['a..da@example.com', null],
  ['"ada lovelace"@example.com', null],
  ['Ada <ada@example.com>', null],
  ['ada@example.com,eve@example.com', null],
  ['ada\u202e@example.com', null],
  ['ada\u0000@example.com', null],
  ['ada\r\nbcc@example.com', null],
  ['ada@example.com\nbcc', null],
  ['ada@exam\tple.com', null],
  ['ada@example.com/eve', null],
  ['ada@example.com?eve', null],
  ['ada@example.com#eve', null],
  ['ada@example.com\\eve', null],
  ['ada@ex%61mple.com', null],
  ['ada@exam\u200bple.com', null],
  ['ada@exam\u00adple.com', null],
  ['ada@exam\u202eple.com', null],
  ['ada@नमस्ते.भारत', 'ada@xn--h2bhs4b8d8a.xn--h2brj9c'],
  ['ada@example\u3002com', 'ada@example.com'],
  ['аda@example.com', null], // The first letter is Cyrillic.
])('the address %j is kept as %j', (given, kept) => {
  expect(normalizeEmail(given)).toBe(kept)
})

test.each<[string, string | null]>([
  ['  Ada  ', 'Ada'],
  ['', ''],
  ['e\u0301', '\u00e9'],
  ['𝒜'.repeat(100), '𝒜'.repeat(100)],
  ['𝒜'.repeat(101), null],
  ['Ada\tLovelace', null],
  ['Ada\u2028Lovelace', null],
  ['\u202eadA', null],
  ['Ada\u200eLovelace', null],
])('the name %j is kept as %j', (given, kept) => {
  expect(normalizeName(given)).toBe(kept)
})

test.each<[string, string | null]>([
  ['https://a.example/b.png', 'https://a.example/b.png'],
  ['HTTP://A.example', 'http://a.example/'],
  ['https://a.example/"onerror="x', 'https://a.example/%22onerror=%22x'],
  ['javascript:alert(1)', null],
  [' https://a.example', null],
  ['data:image/png;base64,AA', null],
  ['//a.example/b.png', null],
  ['https://', null],
  ['/b.png', null],
])('the picture %j is kept as %j', (given, kept) => {
  expect(normalizeImage(given)).toBe(kept)
})

test.each([
  ['a full-width @', (email: string) => email.replace('@', '＠')],
  ['a full-width dot', (email: string) => email.replace('.', '．')],
  ['blanks around it', (email: string) => `\u3000${email}\n`],
])('an address with %s is the same one to every call that takes an address', async (_, spell) => {
  await using server = await createTestServer()
  const ada = await server.signedUp('Ada')
  const email = spell(ada.email)
  const mails = (await server.mailsTo(ada.email)).length

  const signedIn = await server.visitor().post('/sign-in/email', { email, password: ada.password })
  const reset = await server.visitor().post('/forget-password', { email })
  const resent = await server.visitor().post('/send-verification-email', { email })
  const unchanged = await ada.post('/change-email', { newEmail: email })
  const form = await server.visitor().request('POST', '/forgot-password', {
    raw: new URLSearchParams({ email }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

  expect([signedIn.status, reset.status, resent.status]).toEqual([200, 200, 200])
  expect(unchanged.body.code).toBe('EMAIL_IS_THE_SAME')
  expect(form.status).toBe(303)
  expect(await server.mailsTo(ada.email)).toHaveLength(mails + 3)
})
