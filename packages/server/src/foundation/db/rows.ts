import { type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Counts the rows that a query finds. */
export async function countRows<Name extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Name, Row>,
): Promise<number> {
  const { total } = await query.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return Number(total) // PostgreSQL gives a text
}

/** Whether a query finds a row, or a statement returns one. */
export const hasRow = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined

/** Escapes the wildcards of `like`, whose escape character is a backslash here. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
