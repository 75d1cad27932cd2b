import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

// Where an example has not installed its own packages, those of the repository are found; they are the same versions.
const server = fileURLToPath(new URL('../../examples/hono/server.ts', import.meta.url))

test('the Hono example shows its own page, lets people sign up, and knows them', async () => {
  const port = await freePort()
  const address = `http://localhost:${port}`
  const child = start(port)
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

function start(port: number): ChildProcess {
  const mine = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_ENV|BASE_URL|SECRET|TOLLGATE_)/.test(name),
  )
  const env = { ...Object.fromEntries(mine), PORT: String(port), DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'warn' }
  return spawn(process.execPath, [server], { env, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Resolves when it listens; rejects when it ends before that. */
function saidWhereItIs(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', (status) => reject(new Error(`the example ended with ${status}`)))
  })
}
