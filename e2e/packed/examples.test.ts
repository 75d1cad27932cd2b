import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { freshSqlite } from '../faults/databases.ts'
import { startServer } from '../faults/server-process.ts'

// Where an example has not installed its own packages, those of the repository are found; they are the same versions.
const exampleOf = (name: string) => fileURLToPath(new URL(`../../examples/${name}/server.ts`, import.meta.url))

test('the Hono example shows its own page, lets people sign up, and knows them', async () => {
  const port = await freePort()
  const address = `http://localhost:${port}`
  const child = start('hono', port)
  const ended = once(child, 'close')
  try {
    await saidWhereItIs(child)

    const stranger = await fetch(`${address}/api/notes`)
    const signUp = await fetch(`${address}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: '<b>Ada</b>', email: 'ada@example.com', password: 'correct horse battery' }),
    })
    const cookie = signUp.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const { user } = (await signUp.json()) as { user: { id: string } }
    const notes = await fetch(`${address}/api/notes`, { headers: { cookie } })
    const page = await fetch(address, { headers: { cookie } })

    expect([stranger.status, signUp.status, notes.status, page.status]).toEqual([401, 200, 200, 200])
    expect(await notes.json()).toEqual({ owner: user.id, notes: [] })
    expect(await page.text()).toContain('Hello, &lt;b&gt;Ada&lt;/b&gt;')
    expect(await (await fetch(address)).text()).toContain('/sign-up')
    expect((await fetch(`${address}/sign-in`)).headers.get('content-type')).toContain('text/html')
  } finally {
    child.kill('SIGTERM')
  }
  expect(await ended).toEqual([0, null])
})

test('the example that verifies tokens identifies the bearer offline, and refuses invalid ones', async () => {
  await using database = await freshSqlite()
  const server = await startServer({ databaseUrl: database.url, config: { jwt: {} } })
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const child = start('verify-token', port, { TOLLGATE_URL: server.baseURL })
  const ended = once(child, 'close')
  const bring = async (token: string) => {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, body: await answer.json() }
  }
  try {
    await saidWhereItIs(child)
    const signUp = await fetch(`${server.baseURL}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }),
    })
    const { user } = (await signUp.json()) as { user: { id: string } }
    const cookie = signUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const answer = await fetch(`${server.baseURL}/api/auth/token`, { headers: { cookie } })
    const { token } = (await answer.json()) as { token: string }
    const known = { status: 200, body: { owner: user.id, email: 'ada@example.com', notes: [] } }

    expect((await fetch(address)).status).toBe(401)
    expect(await bring(token)).toEqual(known)
    expect((await bring(`${token.slice(0, -5)}AAAAA`)).status).toBe(401)
    expect((await bring('nonsense')).status).toBe(401)
    await server.end()
    expect(await bring(token)).toEqual(known)
  } finally {
    child.kill('SIGTERM')
    await server[Symbol.asyncDispose]()
  }
  expect(await ended).toEqual([0, null])
})

function start(name: string, port: number, settings: Record<string, string> = {}): ChildProcess {
  const mine = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_ENV|BASE_URL|SECRET|TOLLGATE_)/.test(name),
  )
  const own = { PORT: String(port), DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'warn' }
  const env = { ...Object.fromEntries(mine), ...own, ...settings }
  return spawn(process.execPath, [exampleOf(name)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Resolves when it listens; rejects when it ends before that. */
function saidWhereItIs(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', (status) => reject(new Error(`the example ended with ${status}`)))
  })
}
