import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import pg from 'pg'
import { createDatabase, startPostgres } from '../../testing/postgres.ts'
import { collectOutput, until } from './server-process.ts'

/** A PostgreSQL that can be taken away and brought back with all that was committed. */
export type MortalPostgres = AsyncDisposable & {
  readonly url: string
  /** Ends it as a crash does: connections are cut in the middle of whatever they do. */
  crash(): Promise<void>
  restart(): Promise<void>
  /** Stops every process of it where it stands, as a machine does that hangs; gives what lets them go on. */
  freeze(): Promise<() => void>
}

/** Always the test's own server, whatever TEST_DATABASE_URL says: no other server is stopped. */
export async function startMortalPostgres(): Promise<MortalPostgres> {
  const postgres = await startPostgres('')
  const { url } = await createDatabase(postgres.url)
  const { pid, program, args, folder } = await describeServer(url)
  let running = pid
  let again: ChildProcess | undefined

  const crash = async () => {
    process.kill(running, 'SIGQUIT')
    await until('PostgreSQL has ended', 10_000, () => !isAlive(running))
  }
  return {
    url,
    crash,
    restart: async () => {
      const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
      again = spawn(program, args, {
        ...asNobody,
        cwd: folder,
        env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const output = collectOutput(again)
      await until('PostgreSQL is back', 20_000, () => output().includes('ready to accept connections'))
      running = again.pid!
    },
    freeze: async () => {
      const pids = [running, ...(await backends(url))]
      for (const each of pids) signalIfAlive(each, 'SIGSTOP')
      return () => {
        for (const each of pids) signalIfAlive(each, 'SIGCONT')
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (again && isAlive(running)) await crash()
      await postgres.stop()
    },
  }
}

/** How the server was started, in its own words: PostgreSQL keeps them beside its data. Makes commits durable, too. */
async function describeServer(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Tests run PostgreSQL so that a commit may be answered before it is written down; here that is what is examined.
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = on`)
    const { rows } = await client.query<{ pid: string; command: string; data: string }>(
      `select pg_read_file('postmaster.pid') as pid, pg_read_file('postmaster.opts') as command,
        current_setting('data_directory') as data`,
    )
    const { pid, command, data } = rows[0]!
    const [program = '', ...args] = [...command.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, a, b]) => a ?? b ?? '')
    return { pid: Number(pid.split('\n')[0]), program, args, folder: path.dirname(data) }
  } finally {
    await client.end()
  }
}

async function backends(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where pid <> pg_backend_pid()',
    )
    return rows.map(({ pid }) => pid)
  } finally {
    await client.end()
  }
}

/** Some of them may have ended by themselves in the meantime. */
function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  if (isAlive(pid)) process.kill(pid, signal)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false // no such process
  }
}
