import { CompiledQuery } from 'kysely'
import type { Database, Db } from '../database.ts'

type Dialect = Database['dialect']

/** Queries of the database's own catalog; names are in the database's spelling. */

const primaryKeysText: Record<Dialect, string> = {
  sqlite: `select t.name as "table", c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c
    where t.type = 'table' and c.pk > 0 order by t.name, c.pk`,
  postgres: `select t.relname as "table", a.attname as "column"
    from pg_index i join pg_class t on t.oid = i.indrelid
    cross join lateral unnest(i.indkey) with ordinality as k (number, place)
    join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
    where i.indisprimary and t.relnamespace = current_schema()::regnamespace order by t.relname, k.place`,
}

/** The primary key columns of each table, which order its pages. */
export async function findPrimaryKeys(db: Db, dialect: Dialect): Promise<Map<string, string[]>> {
  const rows = await ask<{ table: string; column: string }>(db, primaryKeysText[dialect])
  const keys = new Map<string, string[]>()
  for (const { table, column } of rows) keys.set(table, [...(keys.get(table) ?? []), column])
  return keys
}

export type ForeignKey = { readonly name: string; readonly table: string; readonly target: string }

/** The foreign keys on PostgreSQL; SQLite's have no names and need none. */
export const listForeignKeys = (db: Db): Promise<ForeignKey[]> =>
  ask<ForeignKey>(
    db,
    `select k.conname as name, t.relname as "table", o.relname as target
    from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class o on o.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace order by t.relname, k.conname`,
  )

/** Columns that the database fills if a row omits them, as `table.column`. */
export async function findDefaults(db: Db): Promise<Set<string>> {
  const made = await db.withoutPlugins().introspection.getTables()
  return new Set(
    made.flatMap(({ name, columns }) =>
      columns.filter(({ hasDefaultValue }) => hasDefaultValue).map((column) => `${name}.${column.name}`),
    ),
  )
}

/** The migrations that have run, in order. */
export async function listMigrations(db: Db): Promise<string[]> {
  const rows = await ask<{ name: string }>(db, 'select name from migration order by name')
  return rows.map(({ name }) => name)
}

/** The driver's rows, neither renamed nor decoded. */
export async function ask<Row>(db: Db, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  const { rows } = await db.withoutPlugins().executeQuery(CompiledQuery.raw(text, [...parameters]))
  return rows as Row[] // the query's text sets the row type
}

/** A comma-separated list of names for a statement. */
export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** The placeholder of the nth parameter, counted from 1. */
export const parameter = (dialect: Dialect, number: number): string => (dialect === 'sqlite' ? '?' : `$${number}`)
