import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { password, signedUp } from './calls.ts'
import { freshSqlite } from './databases.ts'
import { startMailServer } from './mail-server.ts'
import { collectOutput, endOf, startServer, statusOf, until } from './server-process.ts'
import { lookInto, signUps } from './state.ts'

test('SIGTERM: the server answers requests under way, refuses later ones, and exits with status 0', async () => {
  await using database = await freshSqlite()
  await using server = await startServer({ databaseUrl: database.url })
  const requests = await Promise.all(['ada', 'bob', 'carol'].map((name) => halfASignUp(server.port, name)))

  const ended = server.end('SIGTERM')
  await until('new connections are refused', 5000, async () => (await statusOf(`${server.baseURL}/api/auth/ok`)) === 0)
  const answers = await Promise.all(requests.map(({ finish }) => finish()))

  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(await ended).toEqual({ code: 0, signal: null })
  const { emails, faults } = await signUps(database.url)
  expect(emails.sort()).toEqual(['ada@example.com', 'bob@example.com', 'carol@example.com'])
  expect(faults).toEqual([])
})

test('SIGTERM: the server finishes a mail that it is sending and records it, so that it is sent only once', async () => {
  await using database = await freshSqlite()
  await using mails = await startMailServer(await freePort())
  const port = await freePort()
  const env = { SMTP_URL: mails.url }
  let release = () => {}
  mails.hold = new Promise((resolve) => {
    release = resolve
  })
  await using server = await startServer({ databaseUrl: database.url, port, env })
  await signedUp(server.baseURL, 'ada@example.com')
  await until('the mail is on its way', 10_000, () => mails.received.length === 1)

  const ended = server.end('SIGTERM')
  await until('the server is stopping', 5000, async () => (await statusOf(`${server.baseURL}/api/auth/ok`)) === 0)
  release()

  expect(await ended).toEqual({ code: 0, signal: null })
  const left = await lookInto(database.url, ({ db }) => db.selectFrom('job').select('kind').execute())
  expect(left).toEqual([{ kind: 'sweep' }])
  expect(mails.received).toHaveLength(1)
})

test.each(['its process group', 'npm alone'])('SIGTERM to `npm start` (%s) frees the port', async (target) => {
  await using database = await freshSqlite()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-e2e-npm-'))
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Record<
    string,
    { start: string }
  >
  // The last command of the script as it is; installing and building are done before any test.
  const command = scripts!.start.split('&&').at(-1)!.trim()
  const start = command
    .replace('packages/server/bin/', path.join(root, 'packages/server/bin/'))
    .replace(/ dev$/, ' start')
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'started', private: true, scripts: { start } }),
  )
  const port = await freePort()
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    detached: true,
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
      HOME: folder,
      PORT: String(port),
      DATABASE_URL: database.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collectOutput(npm)
  const ended = endOf(npm)
  try {
    const health = `http://127.0.0.1:${port}/api/health/ready`
    await until('npm start is ready', 20_000, async () => (await statusOf(health)) === 200).catch((error: Error) => {
      throw new Error(`${error.message}\n${output()}`)
    })

    process.kill(target === 'npm alone' ? npm.pid! : -npm.pid!, 'SIGTERM')

    await until('the port is free', 10_000, async () => (await statusOf(health)) === 0)
    await ended
    await until('nobody of the group is left', 10_000, () => !isGroupAlive(npm.pid!))
  } finally {
    if (isGroupAlive(npm.pid!)) process.kill(-npm.pid!, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})

function isGroupAlive(leader: number): boolean {
  try {
    process.kill(-leader, 0)
    return true
  } catch {
    return false // the group is empty
  }
}

/** Begins a request and keeps the second half of its body back. */
async function halfASignUp(port: number, name: string): Promise<{ finish(): Promise<string> }> {
  const body = JSON.stringify({ name, email: `${name}@example.com`, password })
  const socket: Socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const head = [
    'POST /api/auth/sign-up/email HTTP/1.1',
    'host: x',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    // The server says when it has begun to read.
    'expect: 100-continue',
    '\r\n',
  ]
  socket.write(head.join('\r\n'))
  await until('the server has begun to read', 5000, () => answer.startsWith('HTTP/1.1 100'))
  answer = ''
  socket.write(body.slice(0, 20))
  return {
    finish: async () => {
      socket.write(body.slice(20))
      // A server that is stopping closes the connection after its answer.
      await closed
      return answer.trimStart()
    },
  }
}
