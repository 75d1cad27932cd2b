import type { ColumnType, InsertType, SelectType, UpdateType } from 'kysely'

/** How a column is stored, and therefore decoded: SQLite has only texts and numbers for PostgreSQL's types. */
export type ColumnKind = 'text' | 'time' | 'flag' | 'integer' | 'growing' | 'json'

/** One column of a table definition. Row types and the codec derive from it. */
export type Column<Type = unknown> = {
  readonly kind: ColumnKind
  readonly isNullable: boolean
  /** Never set: it carries the type of the column's values for the compiler. */
  readonly type?: Type
}

const column = <Type>(kind: ColumnKind): Column<Type> => ({ kind, isNullable: false })

/**
 * The id of a row of a table. A plain text is assignable to it, such as an id from a request. An id of another table is
 * not, so the compiler finds swapped arguments. No value has the member `$table`: it is for the compiler.
 */
export type RowId<Table extends string> = string & { readonly $table?: Table }

/** An id of the named table's rows: the table's own primary key, or a reference to it. */
export const id = <Table extends string>(_table: Table) => column<RowId<Table>>('text')
/** A text; the type may narrow it to the texts that the server writes. */
export const text = <Value extends string = string>() => column<Value>('text')
/** A text from a list, such as the states of an order. The row type is the union of the list. */
export const oneOf = <Value extends string>(_values: readonly Value[]) => column<Value>('text')
/** A point in time, read as a `Date`. */
export const time = () => column<Date>('time')
export const flag = () => column<boolean>('flag')
/** An integer that a JavaScript number holds exactly. */
export const integer = () => column<number>('integer')
/** A number that the database generates, always increasing. */
export const growing = () => column<ColumnType<number, never, never>>('growing')
/** An object or a list, stored as JSON. It must survive JSON unchanged, so it holds no `Date`, for example. */
export const json = <Value extends object>() => column<ColumnType<Value, Given<Value>, Given<Value>>>('json')
/** Writes change no value, so read-only values are accepted. */
type Given<Value> = Value extends string
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: Given<Value[Key]> }
    : Value

export const nullable = <Value>({ kind }: Column<Value>): Column<Nullable<Value>> => ({ kind, isNullable: true })
type Nullable<Value> = ColumnType<
  SelectType<Value> | null,
  InsertType<Value> | null | undefined,
  UpdateType<Value> | null
>

/** A column that the database fills where an insert omits it. */
export const defaulted = <Value>({ kind, isNullable }: Column<Value>): Column<Defaulted<Value>> => ({
  kind,
  isNullable,
})
type Defaulted<Value> = ColumnType<SelectType<Value>, InsertType<Value> | undefined, UpdateType<Value>>

/** The last columns of rows that sellers change. */
export const timestamps = { createdAt: time(), modifiedAt: nullable(time()) } as const
