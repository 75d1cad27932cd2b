import { sql } from 'kysely'
import type { Lists } from './database.ts'

/** From one moment up to another, which it excludes. */
export type Span = { readonly since: Date; readonly until: Date }

/**
 * The spans as rows of their number, beginning and end, which both databases name `column1` to `column3`. PostgreSQL
 * needs the types; SQLite stores times as text.
 */
export function valuesOf({ dialect }: Lists, spans: readonly Span[]) {
  const time = sql.raw(dialect === 'postgres' ? 'timestamptz' : 'text')
  const rows = spans.map(
    ({ since, until }, position) =>
      sql`(cast(${position} as integer), cast(${since.toISOString()} as ${time}), cast(${until.toISOString()} as ${time}))`,
  )
  return sql`(values ${sql.join(rows)}) as span`
}

/** Whether a time lies in the span of its row. */
export const isWithin = (column: string) =>
  sql`${sql.ref(column)} >= span.column2 and ${sql.ref(column)} < span.column3`

/** Bounds the rows that are read, whichever way the planner joins them with the spans. */
export function between(column: string, spans: readonly Span[]) {
  const since = Math.min(...spans.map((span) => span.since.getTime()))
  const until = Math.max(...spans.map((span) => span.until.getTime()))
  return sql`${sql.ref(column)} >= ${new Date(since).toISOString()} and ${sql.ref(column)} < ${new Date(until).toISOString()}`
}
