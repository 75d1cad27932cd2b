import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Db } from './database.ts'
import { migrations } from './migrations/list.generated.ts'
import { columnTypes, type Migration } from './migrations/migration.ts'

/** Arbitrary, but the same in every process, so that only one migrates at a time. */
const migrationLock = 7_031_992

/** A newer version has migrated this database: writes of this version could corrupt it. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'
  constructor(unknown: readonly string[]) {
    super(
      `The database belongs to a newer version of Tollgate: this one does not know its migrations ${unknown.join(', ')}. ` +
        'Start the newer version, or restore a backup that was made before it.',
    )
  }
}

/** The database as migrations see it: today's tables may not exist yet. */
const withoutTables = (db: Db): Kysely<unknown> => db.withoutPlugins() as unknown as Kysely<unknown> // the same database with a weaker type

/** The names of the pending migrations. Throws a `NewerDatabaseError`. */
export async function pendingMigrations({ db }: Database): Promise<string[]> {
  const plain = withoutTables(db)
  const tables = await plain.introspection.getTables()
  const isNew = !tables.some(({ name }) => name === 'migration')
  return (isNew ? migrations : await notApplied(plain)).map(({ name }) => name)
}

/** When this database got a migration; undefined if it has not got it. */
export async function appliedAt({ db }: Database, migration: string): Promise<Date | undefined> {
  const { rows } = await sql<{ time: string | Date }>`
    select applied_at as time from migration where name = ${migration}`.execute(withoutTables(db))
  return rows[0] && new Date(rows[0].time)
}

/**
 * Runs the pending migrations and returns their names. All run in one transaction under a lock: if the process is
 * killed, the database stays unchanged and the next process starts again. Throws a `NewerDatabaseError` before any
 * change.
 */
export async function migrate(database: Database, now: Date): Promise<string[]> {
  return database.withoutTimeouts((db) => migrateOn(db, database.dialect, now))
}

async function migrateOn(db: Db, dialect: Database['dialect'], now: Date): Promise<string[]> {
  const plain = withoutTables(db)
  return plain.transaction().execute(async (tx) => {
    if (dialect === 'postgres')
      await tx.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${migrationLock})`))
    await tx.schema
      .createTable('migration')
      .ifNotExists()
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('applied_at', columnTypes.time[dialect], (c) => c.notNull())
      .execute()
    const pending = await notApplied(tx)
    for (const migration of pending) await apply(tx, migration, dialect, now)
    return pending.map(({ name }) => name)
  })
}

async function apply(
  tx: Transaction<unknown>,
  migration: Migration,
  dialect: Database['dialect'],
  now: Date,
): Promise<void> {
  for (const step of migration.steps) await step(tx, dialect)
  await sql`insert into migration (name, applied_at) values (${migration.name}, ${now.toISOString()})`.execute(tx)
}

async function notApplied(db: Kysely<unknown>): Promise<readonly Migration[]> {
  const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(db)
  const done = rows.map(({ name }) => name)
  const unknown = done.filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length > 0) throw new NewerDatabaseError(unknown)
  return migrations.filter(({ name }) => !done.includes(name))
}
