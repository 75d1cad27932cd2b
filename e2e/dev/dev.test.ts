import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../testing/free-port.ts'

const root = path.join(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'tollgate-dev-'))
let running: ChildProcess
let origin: string
let output = ''

beforeAll(async () => {
  copySources()
  const port = await freePort()
  origin = `http://localhost:${port}`
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: { dev: string } }
  const words = scripts.dev.split(' exec node ')[1]!.split(' ')
  // The runner's own variables, such as BASE_URL, would be taken for settings.
  const env = { PATH: process.env.PATH, PORT: String(port) }
  running = spawn(process.execPath, words, { cwd: folder, env })
  for (const stream of [running.stdout, running.stderr]) stream?.on('data', (data) => (output += data))
  await vi.waitFor(() => expect(output).toContain('is ready'), { timeout: 60_000 })
})

afterAll(async () => {
  const ended = once(running, 'exit')
  running.kill()
  await ended
  rmSync(folder, { recursive: true, force: true })
})

/** The repository with the installed packages of this one, so that a test may change its sources. */
function copySources(): void {
  const left = /(^|\/)(node_modules|dist|\.git|data|release|\.cache)$/
  for (const name of ['apps', 'packages', 'scripts', 'package.json', 'tollgate.config.ts', 'tsconfig.base.json'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true, filter: (file) => !left.test(file) })
  for (const place of ['node_modules', 'packages/server/node_modules']) link(place)
}

/** Links what is installed in a place, our own packages to the copies. */
function link(place: string): void {
  mkdirSync(path.join(folder, place, '@tollgate'), { recursive: true })
  for (const name of readdirSync(path.join(root, place)))
    if (!name.startsWith('.') && name !== '@tollgate')
      symlinkSync(path.join(root, place, name), path.join(folder, place, name))
  if (place !== 'node_modules') return
  for (const name of ['client', 'contract', 'react'])
    symlinkSync(path.join(folder, 'packages', name), path.join(folder, place, '@tollgate', name))
}

function change(file: string, from: string, to: string): void {
  const full = path.join(folder, file)
  const before = readFileSync(full, 'utf8')
  const after = before.replace(from, to)
  if (after === before) throw new Error(`${file} has no ${from}`)
  writeFileSync(full, after)
}

/** What the server answers; while it starts again, nothing. */
const textOf = (address: string, init: RequestInit = {}) =>
  fetch(origin + address, init).then(
    (answer) => answer.text(),
    () => '',
  )

/** Connects as Vite's client does in an open page. */
async function openPage() {
  const [, token] = (await textOf('/@vite/client')).match(/wsToken = "([^"]+)"/) ?? []
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
  const messages: string[] = []
  socket.addEventListener('message', ({ data }) => messages.push(String(data)))
  const closed = once(socket, 'close')
  await expect.poll(() => messages).toContainEqual(expect.stringContaining('connected'))
  return { messages, closed }
}

test('a changed heading of the sign-in page is there without a restart', async () => {
  expect(await textOf('/sign-in')).toContain('Sign in to Tollgate</h1>')
  const starts = output.split('is ready').length

  change('packages/react/src/locales/en.json', '"Sign in to {app}"', '"Welcome back to {app}"')

  await expect.poll(() => textOf('/sign-in')).toContain('Welcome back to Tollgate</h1>')
  expect(output.split('is ready')).toHaveLength(starts)
})

test('the pages load their scripts from the sources, and go on with Vite’s client', async () => {
  const [, entry = ''] = (await textOf('/sign-in')).match(/<script type="module" src="([^"]+)"/) ?? []

  const script = await textOf(entry)

  expect(script).toContain('/@vite/client')
  expect(script).toContain('/src/hosted/sign-in.client.tsx')
})

test('the dashboard’s texts in another language come from the sources, before its own script', async () => {
  const script = await textOf('/src/dashboard/locales/de.ts')

  expect(script).toContain('globalThis.dashboardTexts')
  expect(script).not.toMatch(/await|with \{/)
  expect(await textOf('/src/dashboard/locales/de.json?import')).toContain('Zum Inhalt springen')
})

test('a changed rule of a service holds as soon as the server has started again', async () => {
  const signUp = () =>
    textOf('/api/auth/sign-up/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'secret' }),
    })
  expect(await signUp()).toContain('PASSWORD_TOO_SHORT')

  const service = 'packages/server/src/features/identity/sign-up.service.ts'
  change(service, 'emailAndPassword.disableSignUp', '!emailAndPassword.disableSignUp')

  await expect.poll(signUp).toMatch(/SIGN_UP/)
})

test('an open page is loaded again for a changed text, and does not hold up a restart', async () => {
  const { messages, closed } = await openPage()
  await textOf('/sign-in')

  change('packages/react/src/locales/en.json', '"Keep me signed in on this device"', '"Remember me on this device"')

  await expect.poll(() => messages).toContainEqual(expect.stringContaining('full-reload'))
  const starts = output.split('is ready').length
  change('packages/server/src/features/identity/sign-up.service.ts', '!emailAndPassword', 'emailAndPassword')
  await closed
  await expect.poll(() => output.split('is ready').length).toBeGreaterThan(starts)
})
