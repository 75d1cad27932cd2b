import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { freshSqlite } from './databases.ts'
import { type ServerOptions, spawnServer, startServer, until } from './server-process.ts'

const production = { TOLLGATE_MODE: 'production' }

/** What is wrong, and what the message must name. */
const wrongSettings: readonly { what: string; env: Record<string, string>; names: RegExp }[] = [
  { what: 'an empty secret', env: { ...production, SECRET: '' }, names: /SECRET is missing/ },
  {
    what: 'a short secret',
    env: { SECRET: 'hunter2-hunter2' },
    names: /SECRET is 15 characters long: must be at least 32/,
  },
  { what: 'no base URL in production', env: { ...production, BASE_URL: '' }, names: /BASE_URL is missing/ },
  {
    what: 'a base URL that is none',
    env: { BASE_URL: 'accounts.example.com' },
    names: /BASE_URL is "accounts\.example\.com"/,
  },
  { what: 'a base URL of another kind', env: { BASE_URL: 'ftp://example.com' }, names: /BASE_URL is "ftp:/ },
  {
    what: 'a database of another kind',
    env: { DATABASE_URL: 'mysql://localhost/x' },
    names: /DATABASE_URL is "mysql:/,
  },
  { what: 'a port that is none', env: { PORT: '99999' }, names: /PORT is "99999"/ },
  { what: 'a mistyped mode', env: { TOLLGATE_MODE: 'prod' }, names: /TOLLGATE_MODE is "prod"/ },
  { what: 'a mistyped name', env: { TOLLGATE_SECRET: 'x' }, names: /TOLLGATE_SECRET is not a setting/ },
  { what: 'a mail server that is none', env: { SMTP_URL: 'http://mail.example.com' }, names: /SMTP_URL is/ },
  {
    what: 'development where others can reach it',
    env: { TOLLGATE_MODE: '', HOST: '0.0.0.0' },
    names: /HOST 0\.0\.0\.0/,
  },
]

test.concurrent.each(wrongSettings)('F-failclosed: $what', async ({ env, names }) => {
  await using database = await freshSqlite()
  const { code, output } = await refusedStart({ databaseUrl: database.url, env })

  expect(output).toMatch(names)
  expect(code).toBe(1)
  expect(output).not.toContain('hunter2')
  // A configuration error prints a sentence, not a stack trace.
  expect(output).not.toMatch(/\n\s+at /)
})

test('F-failclosed: several wrong settings are named at once', async () => {
  const { output } = await refusedStart({
    databaseUrl: 'mysql://localhost/x',
    env: { SECRET: 'short', BASE_URL: 'nowhere' },
    config: { session: { expiresIn: -1 } },
  })

  for (const name of ['DATABASE_URL', 'SECRET', 'BASE_URL', 'session.expiresIn']) expect(output).toContain(name)
})

test('F-failclosed: a PostgreSQL that does not answer', async () => {
  const port = await freePort()

  const { code, output } = await refusedStart({ databaseUrl: `postgres://ada:hunter2@127.0.0.1:${port}/tollgate` })

  expect(code).toBe(1)
  expect(output).toContain(`ECONNREFUSED 127.0.0.1:${port}`)
  expect(output).toContain('DATABASE_URL')
  expect(output).not.toContain('hunter2')
})

test('F-failclosed: a SQLite file that cannot be opened', async () => {
  await using database = await freshSqlite()
  const folder = path.dirname(database.url.slice('sqlite:'.length))
  await writeFile(path.join(folder, 'file'), 'not a folder')
  await writeFile(
    path.join(folder, 'other.db'),
    'not a database, but long enough to look like something of that kind'.repeat(20),
  )

  for (const name of ['file/tollgate.db', 'other.db']) {
    const { code, output } = await refusedStart({ databaseUrl: `sqlite:${path.join(folder, name)}` })
    expect(code).toBe(1)
    expect(output).toContain('DATABASE_URL')
  }
})

test('F-failclosed: a port that another process uses', async () => {
  await using database = await freshSqlite()
  const port = await freePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))

  const { code, output } = await refusedStart({ databaseUrl: database.url, port })
  await new Promise((resolve) => other.close(resolve))

  expect(code).toBe(1)
  expect(output).toContain(`Port ${port} is in use`)
})

test('the settings that are refused above start once they are right', async () => {
  await using database = await freshSqlite()
  await using server = await startServer({ databaseUrl: database.url, env: { ...production, LOG_LEVEL: 'info' } })

  // Health can answer before the log's pipe is read.
  await until('the warning', 10_000, () => server.output().includes('Neither SMTP_URL nor sendEmail is set'))
  expect(await server.end()).toEqual({ code: 0, signal: null })
})

async function refusedStart(options: ServerOptions): Promise<{ code: number | null; output: string }> {
  await using server = await spawnServer(options)
  const { code } = await server.exited
  return { code, output: server.output() }
}
