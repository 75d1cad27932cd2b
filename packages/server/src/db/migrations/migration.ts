import type { ColumnDataType, CreateTableBuilder, RawBuilder, SchemaModule } from 'kysely'

/** A step of the database's history: forward only, the same file for both databases. */
export type Migration = {
  /** Number and subject; kept in the database once it has run, so it never changes. */
  readonly name: string
  up(tools: MigrationTools): Promise<void>
}

export type MigrationTools = {
  readonly schema: SchemaModule
  /** Changes rows that are there, in the words of each database. */
  change(statement: Readonly<Record<'sqlite' | 'postgres', string>>): Promise<unknown>
  /** The column types that the two databases name differently. */
  readonly types: Record<'time' | 'flag' | 'json', ColumnDataType | RawBuilder<unknown>>
  /** A primary key of whole numbers that the database gives, each larger than every one before. */
  growing(column: string): <Table extends string>(table: CreateTableBuilder<Table>) => CreateTableBuilder<Table>
}
