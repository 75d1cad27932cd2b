import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openDatabase } from '../foundation/db/database.ts'
import { TransferRefused } from '../foundation/db/transfer/format.ts'
import { readAll } from '../foundation/db/transfer/read-all.ts'
import { createTestServer, type TestServer, testStart } from '../testing.ts'
import { UsageError } from './command.ts'
import { exportCommand } from './export.command.ts'
import { makeExportFile } from './export-file.ts'
import { importCommand } from './import.command.ts'
import { openImportFile } from './import-file.ts'
import { inFolder } from './testing/folder.ts'
import { showProgress } from './transferring.ts'

test('an installation imports another’s export, once, and with the same secret', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  await ctx.jobs.stop()
  const isShared = ctx.database.dialect === 'postgres'
  await using old = await inFolder()
  await using fresh = await inFolder(isShared ? { DATABASE_URL: ctx.config.databaseUrl } : {})
  await old.run(['admin', 'create', '--email', 'boss@example.com'])
  const file = path.join(old.path, 'moved.tollgate')

  const made = await old.run(['export', 'moved.tollgate', '--json'])
  const stranger = await fresh.run(['import', file])
  const [taken, other] = await Promise.all([
    fresh.run(['import', file], { SECRET: await readFile(path.join(old.path, 'data/secret'), 'utf8') }),
    old.run(['import', 'moved.tollgate', '--other-secret', '--json'], {
      DATABASE_URL: 'sqlite:third.db',
      SECRET: 'another secret that is long enough to be one',
    }),
  ])

  const { rows } = JSON.parse(made.out)
  expect([made.status, made.err, rows]).toEqual([
    0,
    '',
    expect.objectContaining({ user: 1, event: expect.any(Number) }),
  ])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(old.path)).toEqual(['data', 'moved.tollgate', 'third.db'])
  expect([stranger.status, stranger.out]).toEqual([1, ''])
  expect(stranger.err).toMatch(/^The file was made with another SECRET .* Nothing was imported\.\n$/)
  expect([taken.status, taken.err]).toEqual([0, ''])
  expect(taken.out).toMatch(
    /^Imported \d+ rows of \d+ tables from .*\nUploaded files are not included: .* \(here \.\/data\/files\) .*\n$/,
  )
  expect([other.status, JSON.parse(other.out).rows]).toEqual([0, rows])
  expect(other.err).toContain('With the current one all users are signed out')
  expect(await readdir(fresh.path)).toEqual(['data'])
  expect(await readdir(path.join(fresh.path, 'data'))).toEqual(isShared ? ['secret'] : ['secret', 'tollgate.db'])
})

test('export and import want one file, and no options but their own', async () => {
  for (const words of [[], ['--json'], ['one', 'two'], ['one', '--force']])
    for (const { run } of [exportCommand, importCommand]) await expect(run(words)).rejects.toThrow(UsageError)
})

/** The first half of an export whose rows hardly compress. */
async function halfAnExport(server: TestServer): Promise<Buffer> {
  const lines = await linesOf(server)
  const row = (key: number) => ({ key: `${key}`, value: randomBytes(100).toString('base64'), updatedAt: testStart })
  const more = Array.from({ length: 30_000 }, (_, key) => JSON.stringify({ table: 'setting', row: row(key) }))
  const packed = gzipSync(lines.toSpliced(-1, 0, ...more).join('\n'))
  return packed.subarray(0, packed.length / 2)
}

async function linesOf({ tollgate }: TestServer): Promise<string[]> {
  const written: string[] = []
  const { database } = tollgate.internals.ctx
  await readAll(database, { now: testStart, secretMarks: [], write: async (lines) => void written.push(lines) })
  return written.join('').trimEnd().split('\n')
}

test('F-kill-import: an import that is killed half-way leaves an empty database', async () => {
  await using server = await createTestServer()
  const { ctx } = server.tollgate.internals
  await ctx.jobs.stop()
  const isShared = ctx.database.dialect === 'postgres'
  await using folder = await inFolder(isShared ? { DATABASE_URL: ctx.config.databaseUrl } : {})
  const pipe = path.join(folder.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  const half = await halfAnExport(server)
  expect(half.length).toBeGreaterThan(1_000_000)
  const child = folder.start(['import', pipe])
  const ended = once(child, 'exit')
  const source = createWriteStream(pipe)

  // Written lines have been read, except for the 64 KB in the pipe; read lines are in the database.
  await new Promise((resolve) => source.write(half, resolve))
  child.kill('SIGKILL')

  expect(await ended).toEqual([null, 'SIGKILL'])
  source.destroy()
  const database = isShared ? ctx.database : openDatabase(`sqlite:${path.join(folder.path, 'data/tollgate.db')}`)
  expect(await database.db.selectFrom('setting').select('key').execute()).toEqual([])
  if (!isShared) await database.close()
})

test('a file is complete or absent: the server refuses a partial or foreign one', async () => {
  await using folder = await inFolder()
  const place = (name: string) => path.join(folder.path, name)
  const head = { product: 'tollgate', format: 1, migration: 'm', exportedAt: '', secretMarks: [], tables: {} }
  // Large enough that the writer has to wait, with characters that other readers take for line ends.
  const long = `${randomBytes(300_000).toString('hex')}\u2028\u2029\u0085\r`
  const lines = [JSON.stringify(head), JSON.stringify(long), '{}']
  const write = (name: string, fill: (write: (lines: string) => Promise<void>) => Promise<unknown>) =>
    makeExportFile(place(name), fill)
  const read = async (name: string) => {
    await using opened = await openImportFile(place(name))
    const seen: string[] = []
    for await (const line of opened.lines) seen.push(line)
    return seen
  }

  await write('whole', async (add) => {
    for (const line of lines) await add(`${line}\n`)
  })
  const failing = write('failed', async (add) => {
    await add('half')
    throw new Error('the database is gone')
  })
  await expect(failing).rejects.toThrow('the database is gone')
  const overtaken = write('overtaken', () => writeFile(place('overtaken'), 'mine'))
  await expect(overtaken).rejects.toThrow(/already exists/)
  for (const [name, refusal] of [
    ['whole', /already exists, and no export overwrites a file/],
    ['missing/file', /cannot be written/],
  ] as const)
    await expect(write(name, async () => {})).rejects.toThrow(refusal)
  const whole = await readFile(place('whole'))
  const unended = gzipSync(`${lines[0]}\nhalf a line`)
  const broken = Buffer.from(whole)
  broken.writeUInt8(broken.readUInt8(200_000) ^ 255, 200_000)
  const files = { empty: '', text: 'hello', half: whole.subarray(0, whole.length / 2), unended, broken }
  for (const [name, content] of Object.entries(files)) await writeFile(place(name), content)
  await mkdir(place('folder'))

  expect(await read('whole')).toEqual(lines.slice(1))
  expect(await readFile(place('overtaken'), 'utf8')).toBe('mine')
  for (const [name, refusal] of [
    ['empty', /damaged \(it is truncated\)/],
    ['text', /not a Tollgate export, or is damaged/],
    ['half', /damaged \(it is truncated\)/],
    ['unended', /damaged \(its last line\)/],
    ['broken', /damaged/],
    ['folder', /cannot be read/],
    ['nowhere', /cannot be read/],
  ] as const) {
    const error = await read(name).catch((cause: unknown) => cause)
    expect([name, error]).toEqual([name, expect.any(TransferRefused)])
    expect([name, String(error)]).toEqual([name, expect.stringMatching(refusal)])
  }
  expect((await readdir(folder.path)).filter((name) => name.endsWith('.part') || name === 'failed')).toEqual([])
})

test('progress is shown on a terminal, and nowhere else', () => {
  const told = [true, false].map((isTTY) => {
    const written: string[] = []
    const progress = showProgress({ isTTY, write: (text: string | Uint8Array) => written.push(String(text)) > 0 })
    progress.tell('user: 200')
    progress.end()
    return written
  })

  expect(told).toEqual([['\r\u001b[Kuser: 200', '\r\u001b[K'], []])
})
