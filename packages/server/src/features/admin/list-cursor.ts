import { z } from 'zod'
import { TollgateError } from '../../foundation/error.ts'

/** A list's order by one column; the id breaks ties. */
export type Order<Column extends string> = { readonly by: 'createdAt' | Column; readonly direction: 'asc' | 'desc' }
/** Where a page ended: the value of the order's column, and the id. */
export type Position = { readonly value: string | Date; readonly id: string }

type Row<Column extends string> = { readonly id: string; readonly createdAt: Date } & Readonly<Record<Column, string>>

/** A cursor names its order, because its position means nothing in another one. */
const cursorOf = z.tuple([z.string().max(64), z.enum(['asc', 'desc']), z.string().max(1024), z.string().max(64)])

/** The row's position as the answer shows it to the caller. */
export function toCursor<Column extends string>({ by, direction }: Order<Column>, row: Row<Column>): string {
  const value = by === 'createdAt' ? row.createdAt.toISOString() : row[by]
  return Buffer.from(JSON.stringify([by, direction, value, row.id])).toString('base64url')
}

/**
 * Reads where the previous page ended. The caller may have changed the plain-text cursor, so it is validated. One of
 * another order or without meaning is refused with INVALID_QUERY.
 */
export function readCursor(cursor: string, order: Order<string>): Position {
  const parsed = cursorOf.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))
  if (!parsed.success) throw new TollgateError('INVALID_QUERY', { cause: parsed.error })
  const [by, direction, value, id] = parsed.data
  const isOfThisOrder = by === order.by && direction === order.direction
  if (!isOfThisOrder || `${value}${id}`.includes('\0')) throw new TollgateError('INVALID_QUERY')
  if (by !== 'createdAt') return { value, id }
  if (!z.iso.datetime().safeParse(value).success) throw new TollgateError('INVALID_QUERY')
  return { value: new Date(value), id }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
