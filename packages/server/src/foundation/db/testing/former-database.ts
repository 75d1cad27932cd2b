import { type Kysely, sql } from 'kysely'
import { testStart } from '../../../testing.ts'
import type { Database } from '../database.ts'
import { migrations } from '../migrations/list.generated.ts'

/** Empties the database. */
export async function emptied(database: Database): Promise<Kysely<unknown>> {
  const plain = database.db.withoutPlugins() as unknown as Kysely<unknown>
  const found = (await plain.introspection.getTables()).map(({ name }) => name)
  // In any order, despite the foreign keys.
  if (database.dialect === 'sqlite') await sql`pragma foreign_keys = off`.execute(plain)
  for (const name of found) {
    const drop = plain.schema.dropTable(name)
    await (database.dialect === 'sqlite' ? drop : drop.cascade()).execute()
  }
  if (database.dialect === 'sqlite') await sql`pragma foreign_keys = on`.execute(plain)
  return plain
}

/** A database as the version left it that ended with a migration: its tables, and a way to fill them. */
export type FormerDatabase = {
  /** Inserts a row. Columns that need a value and are not given get one without a meaning. */
  insert(table: string, values: Readonly<Record<string, unknown>>): Promise<void>
}

/** Empties a database and migrates it as far as the named migration, which is the last one. */
export async function formerDatabase(database: Database, last: string): Promise<FormerDatabase> {
  const plain = await emptied(database)
  const done = migrations.slice(0, migrations.findIndex(({ name }) => name === last) + 1)
  for (const { steps } of done) for (const step of steps) await step(plain, database.dialect)
  await plain.schema.createTable('migration').addColumn('name', 'text').addColumn('applied_at', 'text').execute()
  for (const { name } of done)
    await sql`insert into migration (name, applied_at) values (${name}, ${testStart.toISOString()})`.execute(plain)

  const tables = new Map((await plain.introspection.getTables()).map(({ name, columns }) => [name, columns]))
  const fillers: Readonly<Record<string, unknown>> = {
    text: '{}',
    jsonb: '{}',
    timestamptz: testStart.toISOString(),
    bool: false,
  }
  return {
    insert: async (table, values) => {
      const needed = (tables.get(table) ?? []).filter((column) => !column.isNullable && !column.hasDefaultValue)
      const filled = needed.map(({ name, dataType }) => [name, fillers[dataType.toLowerCase()] ?? 0])
      const row = Object.entries({ ...Object.fromEntries(filled), ...values })
      const names = sql.join(row.map(([name]) => sql.ref(name)))
      await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(row.map(([, value]) => value))})`.execute(
        plain,
      )
    },
  }
}
