import type { ColumnDataType, CreateTableBuilder, RawBuilder, SchemaModule } from 'kysely'

/** A step of the database's history: forward only, one file for both databases. */
export type Migration = {
  /** Number and subject. The database records it once it has run, so never change it. */
  readonly name: string
  up(tools: MigrationTools): Promise<void>
}

export type MigrationTools = {
  readonly schema: SchemaModule
  /** Changes existing rows, in each database's SQL. */
  change(statement: Readonly<Record<'sqlite' | 'postgres', string>>): Promise<unknown>
  /** The column types whose names differ between the databases. */
  readonly types: Record<'time' | 'flag' | 'json', ColumnDataType | RawBuilder<unknown>>
  /** An integer primary key that the database generates, always increasing. */
  growing(column: string): <Table extends string>(table: CreateTableBuilder<Table>) => CreateTableBuilder<Table>
}
