import { expect, test } from 'vitest'
import { minutes } from '../foundation/clock.ts'
import { createTestServer, type TestAnswer, type TestServer, type Visitor } from '../testing.ts'

const email = 'grace@example.com'
const context = ({ tollgate }: TestServer) => tollgate.internals.ctx

/** Sends a form as a browser without JavaScript does. */
const send = (visitor: Visitor, path: string, values: Record<string, string>): Promise<TestAnswer> =>
  visitor.request('POST', path, {
    raw: new URLSearchParams(values).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const page = (visitor: Visitor, path: string): Promise<TestAnswer> => visitor.request('GET', path)

const location = ({ headers }: TestAnswer): string | null => headers.get('location')

/** The fields of a form of the page, hidden ones included, by form name. */
function fieldsOf({ text }: TestAnswer, form: string): Record<string, string> {
  const found = [...text.matchAll(/<form.*?<\/form>/gs)].find(([html]) => html.includes(`value="${form}"`))?.[0] ?? ''
  const inputs = [...found.matchAll(/<input[^>]*>/g)].map(([html]) => {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    return [attribute('name'), attribute('value')]
  })
  return Object.fromEntries(inputs)
}

async function newestMail(server: TestServer): Promise<{ link: string; code: string }> {
  const mail = (await server.mailsTo(email)).find(({ links }) => links[0]?.includes('magic-link'))!
  const { pathname, search } = new URL(mail.links[0]!)
  return { link: pathname + search, code: /^\d{6}$/m.exec(mail.text)![0] }
}

/** Requests a link on the sign-in page; the answer redirects to the waiting page. */
async function asked(server: TestServer, callbackURL?: string): Promise<{ browser: Visitor; waiting: string }> {
  const browser = server.visitor()
  const values = { form: 'magic-link', email, ...(callbackURL && { callbackURL }) }
  const answer = await send(browser, '/sign-in', values)
  expect(answer.status).toBe(303)
  return { browser, waiting: location(answer)! }
}

test('without JavaScript: ask, follow the link, press the button, and the page that waited goes on', async () => {
  await using server = await createTestServer()
  const { browser, waiting } = await asked(server, '/account/security')
  const { link } = await newestMail(server)

  const before = await page(browser, waiting)
  const shown = await page(browser, link)
  const fields = fieldsOf(shown, 'magic-link-confirm')
  const done = await send(browser, '/magic-link', fields)

  expect(before.status).toBe(200)
  expect(before.text).toContain(email)
  expect([shown.status, fields.callbackURL]).toEqual([200, '/account/security'])
  expect(shown.text).toContain(email)
  expect([done.status, location(done)]).toEqual([303, '/account/security'])
  const after = await page(browser, waiting)
  expect([after.status, location(after)]).toEqual([302, '/account/security'])
})

test('in another browser the page that waits takes the code', async () => {
  await using server = await createTestServer()
  const { browser, waiting } = await asked(server)
  const { code } = await newestMail(server)
  const fields = fieldsOf(await page(browser, waiting), 'magic-link-code')

  const wrong = await send(browser, '/magic-link/sent', { ...fields, code: code === '000000' ? '000001' : '000000' })
  const missing = await send(browser, '/magic-link/sent', { ...fields, code: ' ' })
  const right = await send(browser, '/magic-link/sent', { ...fields, code: `${code.slice(0, 3)} ${code.slice(3)}` })

  expect([wrong.status, missing.status]).toEqual([400, 400])
  expect(wrong.text).toContain(email)
  expect([right.status, location(right)]).toEqual([303, '/'])
  expect((await browser.get('/get-session')).body.user.email).toBe(email)
})

test('looking at the link, however often, uses nothing up', async () => {
  await using server = await createTestServer()
  await asked(server)
  const { link } = await newestMail(server)
  const scanner = server.visitor()

  for (let visits = 0; visits < 3; visits += 1) await page(scanner, link)
  const head = await scanner.request('HEAD', link)

  expect([head.status, scanner.cookies.size]).toEqual([200, 0])
  const browser = server.visitor()
  expect((await send(browser, '/magic-link', fieldsOf(await page(browser, link), 'magic-link-confirm'))).status).toBe(
    303,
  )
})

test('an expired, used or invalid link shows its state, and only the right token reveals its user', async () => {
  await using server = await createTestServer()
  await asked(server)
  const late = await newestMail(server)
  server.clock.advance(minutes(5))

  const expired = await page(server.visitor(), late.link)
  const invented = await page(server.visitor(), `/magic-link?token=${'x'.repeat(32)}&email=${email}`)
  const bare = await page(server.visitor(), '/magic-link')

  expect(expired.text).toContain('expired')
  for (const { status, text } of [expired, invented, bare]) {
    expect(status).toBe(200)
    expect(text).not.toContain('value="magic-link-confirm"')
  }
  for (const { text } of [invented, bare]) expect(text).not.toContain(`<strong>${email}`)
  const token = new URL(late.link, 'http://localhost').searchParams.get('token')!
  const pressed = await send(server.visitor(), '/magic-link', { form: 'magic-link-confirm', token })
  expect([pressed.status, location(pressed)]).toEqual([401, null])
  expect(pressed.text).not.toContain('value="magic-link-confirm"')
})

test('a link pressed twice signs in once', async () => {
  await using server = await createTestServer()
  await asked(server)
  const { link } = await newestMail(server)
  const fields = fieldsOf(await page(server.visitor(), link), 'magic-link-confirm')
  const late = server.visitor()

  await send(server.visitor(), '/magic-link', fields)
  const again = await send(late, '/magic-link', fields)

  expect([again.status, late.cookies.has('better-auth.session_token')]).toEqual([401, false])
})

test('a new user goes to the place for new users', async () => {
  await using server = await createTestServer()
  const targets = { callbackURL: '/account', newUserCallbackURL: '/account/security' }
  const callbackOf = async () => {
    server.clock.advance(1)
    await server.visitor().post('/sign-in/magic-link', { email, ...targets })
    const browser = server.visitor()
    const fields = fieldsOf(await page(browser, (await newestMail(server)).link), 'magic-link-confirm')
    return location(await send(browser, '/magic-link', fields))
  }

  expect([await callbackOf(), await callbackOf()]).toEqual(['/account/security', '/account'])
})

test('neither the link nor its form redirects to another site', async () => {
  await using server = await createTestServer()
  await asked(server)
  const { link } = await newestMail(server)
  const [path, query] = link.split('?')
  const forged = new URLSearchParams(query)
  forged.set('callbackURL', 'https://evil.example')
  forged.set('newUserCallbackURL', '//evil.example')
  const browser = server.visitor()

  const shown = await page(browser, `${path}?${forged}`)
  const fields = fieldsOf(shown, 'magic-link-confirm')
  const done = await send(browser, '/magic-link', { ...fields, callbackURL: 'https://evil.example' })

  expect(fields).not.toHaveProperty('callbackURL', 'https://evil.example')
  expect(shown.text).not.toMatch(/value="[^"]*evil/)
  expect([done.status, location(done)]).toEqual([303, '/'])
})

test('another site cannot sign a visitor in with a link of its own', async () => {
  await using server = await createTestServer()
  await asked(server)
  const { link } = await newestMail(server)
  const token = new URL(link, 'http://localhost').searchParams.get('token')!
  const victim = server.visitor({ headers: { origin: 'https://evil.example' } })

  const answer = await send(victim, '/magic-link', { form: 'magic-link-confirm', token })

  expect([answer.status, victim.cookies.has('better-auth.session_token')]).toEqual([403, false])
})

test('the page that waits does not go on for another user, and wants an address', async () => {
  await using server = await createTestServer()
  const ada = await server.signedUp()

  const waiting = await page(ada, `/magic-link/sent?email=${email}`)
  const without = await page(ada, '/magic-link/sent')

  expect([waiting.status, location(without)]).toEqual([200, '/sign-in'])
})

test('asking again confirms that the mail was sent again', async () => {
  await using server = await createTestServer()
  const { browser, waiting } = await asked(server)
  server.clock.advance(1)

  const answer = await send(browser, '/magic-link/sent', fieldsOf(await page(browser, waiting), 'magic-link'))

  expect([answer.status, location(answer)]).toEqual([303, `${waiting}&done=resent`])
  expect((await page(browser, location(answer)!)).status).toBe(200)
  expect(await server.mailsTo(email)).toHaveLength(2)
})

test('switched off, the pages are not there', async () => {
  await using server = await createTestServer({ magicLink: false })

  const answers = await Promise.all(
    ['/magic-link', `/magic-link/sent?email=${email}`].map((path) => page(server.visitor(), path)),
  )

  expect(answers.map(({ status }) => status)).toEqual([404, 404])
  expect((await send(server.visitor(), '/sign-in', { form: 'magic-link', email })).status).toBe(404)
  expect(await context(server).db.selectFrom('magicLink').selectAll().execute()).toEqual([])
})
