import { inject } from 'vitest'
import { openDatabase } from '../packages/server/src/db/database.ts'
import { migrate } from '../packages/server/src/db/migrate.ts'
import { testStart, useTestDatabases } from '../packages/server/src/testing.ts'
import { createDatabase } from './postgres.ts'
import './provided.ts'

// Each test server of the project `postgres` has a database of its own, which goes away with the server.
useTestDatabases(() => createDatabase(inject('postgresUrl'), migrateAll))

/** Once for all tests of a run: each server's database is a copy of this one. */
async function migrateAll(url: string): Promise<void> {
  const database = openDatabase(url)
  try {
    await migrate(database, testStart)
  } finally {
    await database.close()
  }
}
