import type { Selectable } from 'kysely'
import { snake } from './codec.ts'
import type { Id } from './database.ts'
import type { Column } from './tables/columns.ts'
import { type Tables, tables } from './tables.ts'

/**
 * The one read of the hot path: a session with its user, by token. Both databases keep the statement prepared and
 * return the row as a plain array, without the query builder (architecture: "The hot paths").
 */
export type SessionRow = {
  readonly session: Selectable<Tables['session']>
  readonly user: Selectable<Tables['user']>
  /** The active organization and the user's membership; null if none is active or the user is not its member. */
  readonly active?: ActiveMembership | null
}

/** The active organization's columns that each session read includes. */
export type ActiveMembership = Pick<Selectable<Tables['organization']>, 'name' | 'slug' | 'requireVerifiedEmail'> &
  Pick<Selectable<Tables['member']>, 'organizationId' | 'role'> & { readonly memberId: Id<'member'> }

type NamedColumn = readonly [name: string, column: Column]

const sessionColumns: readonly NamedColumn[] = Object.entries(tables.session)
const userColumns: readonly NamedColumn[] = Object.entries(tables.user)
const activeColumns = {
  memberId: 'm."id"',
  organizationId: 'o."id"',
  name: 'o."name"',
  slug: 'o."slug"',
  role: 'm."role"',
  requireVerifiedEmail: 'o."require_verified_email"',
} as const satisfies Record<keyof ActiveMembership, string>
const activeAt = sessionColumns.length + userColumns.length
const tokenAt = sessionColumns.findIndex(([name]) => name === 'token')

const selected = (alias: string, columns: readonly NamedColumn[]) =>
  columns.map(([name]) => `${alias}."${snake(name)}"`).join(', ')

export const sessionRowSql = (placeholder: '?' | 'any($1)'): string =>
  `select ${selected('s', sessionColumns)}, ${selected('u', userColumns)}, ${Object.values(activeColumns).join(', ')} from "session" s join "user" u on u."id" = s."user_id" left join "organization" o on o."id" = s."active_organization_id" left join "member" m on m."organization_id" = o."id" and m."user_id" = s."user_id" where s."token" = ${placeholder}`

/** The token in a raw row. */
export const sessionTokenOf = (values: readonly unknown[]): string => String(values[tokenAt])

export function toSessionRow(values: readonly unknown[]): SessionRow {
  return {
    session: decode(sessionColumns, values, 0),
    user: decode(userColumns, values, sessionColumns.length),
    active: toActive(values),
  } as SessionRow // the columns are the tables', in their order
}

function toActive(values: readonly unknown[]): ActiveMembership | null {
  const [memberId, organizationId, name, slug, role, requireVerifiedEmail] = values.slice(activeAt)
  if (typeof memberId !== 'string') return null
  const active = { memberId, organizationId, name, slug, role, requireVerifiedEmail: isSet(requireVerifiedEmail) }
  return active as ActiveMembership // in the order of `activeColumns`
}

/** SQLite has numbers where PostgreSQL has booleans. */
const isSet = (value: unknown): boolean => value === true || value === 1

function decode(columns: readonly NamedColumn[], values: readonly unknown[], offset: number): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index += 1) {
    const [name, { kind }] = columns[index]!
    const value = values[offset + index]
    if (kind === 'time') row[name] = typeof value === 'string' ? new Date(value) : value
    else if (kind === 'flag') row[name] = isSet(value)
    else row[name] = value
  }
  return row
}
