import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createTestServer } from '../testing.ts'
import { createLogger } from './log.ts'

const logged = (details: Record<string, unknown>) => {
  const lines: string[] = []
  createLogger({ level: 'info', format: 'json', stream: { write: (line) => void lines.push(line) } }).info(
    details,
    'told',
  )
  return lines.join('')
}

test.each([
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'cookie',
  'authorization',
  'set-cookie',
  'secret',
  'accessToken',
  'refreshToken',
  'idToken',
  'clientSecret',
  'client_secret',
  'customerSessionToken',
  'externalId',
  'customerExternalId',
])('no log contains a member named %s, at the top or one level down', (name) => {
  const text = logged({ [name]: 'hidden', body: { [name]: 'hidden', kept: 'shown' } })

  expect(text).not.toContain('hidden')
  expect(text).toContain('shown')
  expect(text).toContain('[redacted]')
})

test('logs omit secrets deep within, in lists and in errors, and the logged value stays unchanged', () => {
  const request = { headers: [{ authorization: 'hidden' }, { accept: 'shown' }], at: new Date(0) }
  const failure = Object.assign(new Error('no answer'), {
    request,
    cause: new Error('cut', { cause: { token: 'hidden' } }),
  })

  const text = logged({ err: failure, attempts: { last: { body: { password: 'hidden' } } } })

  expect(text).not.toContain('hidden')
  expect(JSON.parse(text)).toMatchObject({
    err: {
      type: 'Error',
      message: expect.stringContaining('no answer'),
      request: { headers: [{}, { accept: 'shown' }] },
    },
    attempts: { last: { body: { password: '[redacted]' } } },
  })
  expect(JSON.parse(text).err).toMatchObject({ stack: expect.any(String), request: { at: '1970-01-01T00:00:00.000Z' } })
  expect(request.headers[0]).toEqual({ authorization: 'hidden' })
})

test('a line feed in a message starts no new line', () => {
  const text = logged({ path: '/a\r\n{"level":60,"msg":"forged"}' })

  expect(text.trimEnd()).not.toContain('\n')
  expect(JSON.parse(text).path).toContain('forged')
})

test('below its level nothing is logged', () => {
  const lines: string[] = []
  const log = createLogger({ level: 'warn', format: 'json', stream: { write: (line) => void lines.push(line) } })

  log.info('quiet')
  log.warn('loud')

  expect(lines).toHaveLength(1)
})

test('F-logs: the logs of an account’s whole life contain no password, token, cookie or address', async () => {
  await using server = await createTestServer({ user: { deleteUser: { sendVerification: true } } })
  const secrets = new Set<string>()
  const visitor = server.visitor({
    headers: { 'user-agent': 'agent', referer: 'http://localhost:3000/?token=refererToken12' },
  })
  const email = 'ada@example.com'
  const remember = () => {
    for (const value of visitor.cookies.values()) {
      secrets.add(value)
      secrets.add(decodeURIComponent(value))
      secrets.add(decodeURIComponent(value).split('.')[0]!)
    }
  }
  const linked = async (path: RegExp) => {
    const link = await server.linkTo(email)
    server.clock.advance(1)
    const token = path.exec(link)?.[1]
    expect(token).toBeTruthy()
    secrets.add(token!)
    return link
  }

  await visitor.post('/sign-up/email', { name: 'Ada', email, password: 'first password' })
  remember()
  await visitor.request('GET', await linked(/verify-email\?token=([^&]+)/))
  await visitor.post('/sign-in/email', { email, password: 'wrong password here' })
  await visitor.post('/sign-in/email', { email, password: 'first password', rememberMe: false })
  remember()
  await visitor.post('/change-password', {
    currentPassword: 'first password',
    newPassword: 'second password',
    revokeOtherSessions: true,
  })
  remember()
  await server.mailsTo(email)
  server.clock.advance(1)
  await visitor.post('/forget-password', { email })
  const reset = await linked(/reset-password\/([^?]+)/)
  await visitor.request('GET', reset)
  const resetToken = /reset-password\/([^?]+)/.exec(reset)?.[1]
  await visitor.post('/reset-password', { token: resetToken, newPassword: 'third password' })
  await server.mailsTo(email)
  server.clock.advance(1)
  await visitor.post('/sign-in/email', { email, password: 'third password' })
  remember()
  await visitor.post('/delete-user', {})
  await visitor.request('GET', await linked(/callback\?token=([^&]+)/))
  await visitor.request('POST', '/api/auth/sign-in/email', {
    raw: '{"password":"broken body',
    headers: { 'content-type': 'application/json' },
  })
  for (const password of [
    'first password',
    'wrong password here',
    'second password',
    'third password',
    'broken body',
    'refererToken12',
  ])
    secrets.add(password)

  const text = server.logs.join('')
  expect(server.logs.length).toBeGreaterThan(10)
  expect(secrets.size).toBeGreaterThan(15)
  for (const secret of secrets) expect([secret, text.includes(secret)]).toEqual([secret, false])
  expect(text).not.toContain(email)
  expect(text).not.toMatch(/\$argon2|better-auth\.session/)
})

test('the log omits a token in a path', async () => {
  await using server = await createTestServer()
  await server.visitor().request('GET', '/join/hiddenInPath')
  await server.visitor().request('GET', '/api/auth/reset-password/hiddenInPath?callbackURL=/')

  const text = server.logs.join('')
  expect(text).toContain('/join/[redacted]')
  expect(text).toContain('/reset-password/[redacted]')
  expect(text).not.toContain('hiddenInPath')
})

test('each request logs one line: method, path without query, status, time', async () => {
  await using server = await createTestServer()
  await server.visitor().get('/verify-email?token=hiddenInQuery')

  const lines = server.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'Request')

  expect(lines).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      request: expect.stringMatching(/^\w+$/),
      method: 'GET',
      path: '/api/auth/verify-email',
      status: 401,
      ms: expect.any(Number),
      msg: 'Request',
    },
  ])
})

test('lines come in the order of their logging, and the last ones before the exit', () => {
  const program = `
    const { createLogger } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)})
    const log = createLogger({ level: 'info', format: 'json' })
    log.info('first')
    log.info('second')
    setImmediate(() => {
      log.error('third')
      process.exit(0)
    })`

  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })

  const lines = told.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['first', 'second', 'third'])
})

test('many loggers of a process listen to its exit once', () => {
  const create = () => createLogger({ level: 'silent', format: 'json' })
  create()
  const listeners = process.listenerCount('exit')

  for (let made = 0; made < 20; made += 1) create()

  expect(process.listenerCount('exit')).toBe(listeners)
})
