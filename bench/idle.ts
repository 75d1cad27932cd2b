import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createTollgate } from '../packages/server/src/server.ts'
import { createDatabase, startPostgres } from '../testing/postgres.ts'

/*
 * What a server costs while nobody asks for anything: the loop that looks for jobs, on each database. By this process's own
 * count of its processor time, so that other programs do not matter. `node bench/idle.ts`, in about a minute.
 */

/** Until the work that a start leaves is done, and then as long as is measured. */
const settling = 5000
const measured = 20_000
/** Of one core, as the bar has it. */
const bar = 0.01

const folder = mkdtempSync(path.join(os.tmpdir(), 'tollgate-idle-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

await measure('SQLite', `sqlite:${path.join(folder, 'idle.db')}`)
const postgres = await startPostgres()
try {
  await measure('PostgreSQL', (await createDatabase(postgres.url)).url)
} finally {
  await postgres.stop()
}

async function measure(name: string, databaseUrl: string): Promise<void> {
  const env = { SECRET: 'only-for-the-bench-0123456789abcdef', DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' }
  const tollgate = await createTollgate({}, { env })
  await wait(settling)
  const before = process.cpuUsage()
  const start = performance.now()
  await wait(measured)
  const { user, system } = process.cpuUsage(before)
  const share = (user + system) / 1000 / (performance.now() - start)
  await tollgate.close()
  const percent = `${(share * 100).toFixed(2)} % of a core`
  process.stdout.write(`${name}: ${percent} (wanted: at most ${bar * 100} %)${share > bar ? ', NOT MET' : ''}\n`)
  if (share > bar) process.exitCode = 1
}
