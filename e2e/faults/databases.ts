import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createDatabase, startPostgres } from '../../testing/postgres.ts'

/** A fresh, empty database that outlives the processes which use it. */
export type FreshDatabase = AsyncDisposable & { readonly url: string }

/** A database file in a folder of its own. */
export async function freshSqlite(): Promise<FreshDatabase> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollgate-e2e-sqlite-'))
  return {
    url: `sqlite:${path.join(folder, 'tollgate.db')}`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A PostgreSQL server of the test's own with one database in it. */
export async function freshPostgres(): Promise<FreshDatabase> {
  const postgres = await startPostgres()
  const { url } = await createDatabase(postgres.url)
  return { url, [Symbol.asyncDispose]: postgres.stop }
}
