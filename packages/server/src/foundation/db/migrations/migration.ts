import { type ColumnDefinitionBuilder, CompiledQuery, type CreateTableBuilder, type Kysely, sql } from 'kysely'

/*
 * What migrations are made of. They build released schemas, so each function must keep giving the same statements.
 */

/** A part of the database's history: forward only, one file for both databases. */
export type Migration = {
  /** Number and subject. The database records it once it has run, so never change it. */
  readonly name: string
  readonly steps: readonly Step[]
}

type Dialect = 'sqlite' | 'postgres'
type Step = (db: Kysely<unknown>, dialect: Dialect) => Promise<unknown>

/** The column types by their names in each database. */
export const columnTypes = {
  text: { sqlite: 'text', postgres: 'text' },
  integer: { sqlite: 'integer', postgres: 'integer' },
  bigint: { sqlite: 'bigint', postgres: 'bigint' },
  time: { sqlite: 'text', postgres: 'timestamptz' },
  flag: { sqlite: 'integer', postgres: 'boolean' },
  json: { sqlite: 'text', postgres: 'jsonb' },
  growing: { sqlite: 'integer', postgres: 'bigint' },
} as const

type Refine = (column: ColumnDefinitionBuilder, dialect: Dialect) => ColumnDefinitionBuilder
type Column = { readonly type: keyof typeof columnTypes; readonly isNullable?: true; readonly refine: Refine }
/** A constraint of several columns; its name stands in the place of a column's. */
type Constraint = { readonly unique: readonly string[] } | { readonly primaryKey: readonly string[] }
type Columns = Readonly<Record<string, Column>>

const column = (type: Column['type']): Column => ({ type, refine: (made) => made })
const refined = (column: Column, refine: Refine): Column => ({
  ...column,
  refine: (made, dialect) => refine(column.refine(made, dialect), dialect),
})

/** Columns without a value in some rows say so (`nullable`). */
export const text = column('text')
export const integer = column('integer')
export const bigint = column('bigint')
export const time = column('time')
export const flag = column('flag')
export const json = column('json')
export const nullable = (column: Column): Column => ({ ...column, isNullable: true })
export const unique = (column: Column): Column => refined(column, (made) => made.unique())
export const primaryKey = (column: Column): Column => refined(column, (made) => made.primaryKey())
export const id = primaryKey(text)
/** An integer primary key that the database generates, always increasing. */
export const growing: Column = refined({ ...column('growing'), isNullable: true }, (made, dialect) =>
  dialect === 'sqlite' ? made.primaryKey().autoIncrement() : made.primaryKey().generatedAlwaysAsIdentity(),
)
/** For a column that joins a table with rows. */
export const withDefault = (column: Column, value: string | number | boolean): Column =>
  refined(column, (made) => made.defaultTo(value))
/** A condition that the database checks on every write of the row; it may name the table's other columns. */
export const withCheck = (column: Column, condition: string): Column =>
  refined(column, (made) => made.check(sql.raw<boolean>(condition)))
/** A foreign key on `table.column`, and what the deletion of that row does to this one. */
export const reference = (target: string, onDelete?: 'cascade' | 'set null'): Column =>
  refined(text, (made) => (onDelete ? made.references(target).onDelete(onDelete) : made.references(target)))

export const table =
  (name: string, parts: Readonly<Record<string, Column | Constraint>>): Step =>
  ({ schema }, dialect) => {
    let made: CreateTableBuilder<string, string> = schema.createTable(name)
    for (const [part, what] of Object.entries(parts)) {
      if ('unique' in what) made = made.addUniqueConstraint(part, [...what.unique])
      else if ('primaryKey' in what) made = made.addPrimaryKeyConstraint(part, [...what.primaryKey])
      else made = made.addColumn(part, ...definition(what, dialect))
    }
    return made.execute()
  }

export const addColumns =
  (table: string, columns: Columns): Step =>
  async ({ schema }, dialect) => {
    for (const [name, column] of Object.entries(columns))
      await schema
        .alterTable(table)
        .addColumn(name, ...definition(column, dialect))
        .execute()
  }

const definition = ({ type, isNullable, refine }: Column, dialect: Dialect) =>
  [
    columnTypes[type][dialect],
    (made: ColumnDefinitionBuilder) => refine(isNullable ? made : made.notNull(), dialect),
  ] as const

type IndexOptions = { readonly isUnique?: true; readonly where?: string }

export const index =
  (name: string, table: string, columns: readonly string[], { isUnique, where }: IndexOptions = {}): Step =>
  ({ schema }) => {
    const plain = schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
    const made = isUnique ? plain.unique() : plain
    return (where ? made.where(sql.raw<boolean>(where)) : made).execute()
  }

export const uniqueIndex = (
  name: string,
  table: string,
  columns: readonly string[],
  options?: Pick<IndexOptions, 'where'>,
): Step => index(name, table, columns, { ...options, isUnique: true })

export const dropIndex =
  (name: string): Step =>
  ({ schema }) =>
    schema.dropIndex(name).execute()

/** Changes existing rows, in each database's SQL. */
export const change =
  (statement: Readonly<Record<Dialect, string>>): Step =>
  (db, dialect) =>
    db.executeQuery(CompiledQuery.raw(statement[dialect]))
