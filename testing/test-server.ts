import { inject } from 'vitest'
import { openDatabase } from '../packages/server/src/db/database.ts'
import { migrate } from '../packages/server/src/db/migrate.ts'
import { createTestServer as createServer, type TestServer, testStart } from '../packages/server/src/testing.ts'
import { createDatabase } from './postgres.ts'

export type * from '../packages/server/src/testing.ts'

type Arguments = Parameters<typeof createServer>

/**
 * A test server on the database of the running project: SQLite in memory, or a PostgreSQL database of its own that goes
 * away with the server. Tests that run on both take their server from here.
 */
export async function createTestServer(config: Arguments[0] = {}, options: Arguments[1] = {}): Promise<TestServer> {
  if (options.databaseUrl !== undefined || inject('database') === 'sqlite') return await createServer(config, options)
  const database = await createDatabase(inject('postgresUrl'), migrateAll)
  const server = await createServer(config, { ...options, databaseUrl: database.url })
  return {
    ...server,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await database.drop()
    },
  }
}

/** Once for all tests of a run: each server's database is a copy of this one. */
async function migrateAll(url: string): Promise<void> {
  const database = openDatabase(url)
  try {
    await migrate(database, testStart)
  } finally {
    await database.close()
  }
}
