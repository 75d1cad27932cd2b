import type { Selectable } from 'kysely'
import { snake } from './codec.ts'
import { type Tables, tables } from './tables.ts'

/**
 * The one read of the hot path: a session with its user, by token. Both databases keep the statement prepared and give
 * the row as a plain array, past the query builder (architecture: "The hot paths").
 */
export type SessionRow = { readonly session: Selectable<Tables['session']>; readonly user: Selectable<Tables['user']> }

const sessionColumns = Object.entries(tables.session)
const userColumns = Object.entries(tables.user)
const tokenAt = sessionColumns.findIndex(([name]) => name === 'token')

const selected = (alias: string, columns: [string, string][]) =>
  columns.map(([name]) => `${alias}."${snake(name)}"`).join(', ')

export const sessionRowSql = (placeholder: '?' | 'any($1)'): string =>
  `select ${selected('s', sessionColumns)}, ${selected('u', userColumns)} from "session" s join "user" u on u."id" = s."user_id" where s."token" = ${placeholder}`

/** The token in a row as it was read. */
export const sessionTokenOf = (values: readonly unknown[]): string => String(values[tokenAt])

export function toSessionRow(values: readonly unknown[]): SessionRow {
  return {
    session: decode(sessionColumns, values, 0),
    user: decode(userColumns, values, sessionColumns.length),
  } as SessionRow // the columns are those of the tables, in their order
}

function decode(columns: [string, string][], values: readonly unknown[], offset: number): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index += 1) {
    const [name, kind] = columns[index]!
    const value = values[offset + index]
    if (kind.startsWith('time')) row[name] = typeof value === 'string' ? new Date(value) : value
    else if (kind === 'flag') row[name] = value === true || value === 1
    else row[name] = value
  }
  return row
}

/** Whether a statement may change what `get-session` answers. */
export const isSessionWrite = (sql: string): boolean => /^(insert|update|delete)\b[^"]*"(session|user)"/i.test(sql)
