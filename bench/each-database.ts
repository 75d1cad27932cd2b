import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createTollgate, type Tollgate } from '../packages/server/src/app/server.ts'
import type { TollgateConfig } from '../packages/server/src/foundation/config/config.ts'
import { createDatabase, startPostgres } from '../testing/postgres.ts'

/** Measures on SQLite, then on PostgreSQL: on databases that are new, and gone afterwards. */
export async function onEachDatabase(measure: (name: string, databaseUrl: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tollgate-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await measure('SQLite', `sqlite:${path.join(folder, 'bench.db')}`)
  const postgres = await startPostgres()
  try {
    await measure('PostgreSQL', (await createDatabase(postgres.url)).url)
  } finally {
    await postgres.stop()
  }
}

/** A server in this process. */
export const startTollgate = (databaseUrl: string, config: TollgateConfig = {}): Promise<Tollgate> =>
  createTollgate(config, {
    env: { SECRET: 'only-for-the-bench-0123456789abcdef', DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' },
  })

/** Prints what came out and what was wanted; a bar that is not met fails the program. */
export function report(name: string, result: string, wanted: string, isMet: boolean): void {
  process.stdout.write(`${name}: ${result} (wanted: ${wanted})${isMet ? '' : ', NOT MET'}\n`)
  if (!isMet) process.exitCode = 1
}
