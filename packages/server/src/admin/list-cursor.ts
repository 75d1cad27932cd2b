import { z } from 'zod'
import { TollgateError } from '../error.ts'

/** The order of a list, by one of its columns; the id tells equals apart. */
export type Order<Column extends string> = { readonly by: 'createdAt' | Column; readonly direction: 'asc' | 'desc' }
/** Where a page ended: the value of the column that orders the list, and the id. */
export type Position = { readonly value: string | Date; readonly id: string }

type Row<Column extends string> = { readonly id: string; readonly createdAt: Date } & Readonly<Record<Column, string>>

/** A cursor tells its order, too: in another one its position would mean something else. */
const cursorOf = z.tuple([z.string().max(64), z.enum(['asc', 'desc']), z.string().max(1024), z.string().max(64)])

/** What a row is found again by, as the answer gives it to the caller. */
export function toCursor<Column extends string>({ by, direction }: Order<Column>, row: Row<Column>): string {
  const value = by === 'createdAt' ? row.createdAt.toISOString() : row[by]
  return Buffer.from(JSON.stringify([by, direction, value, row.id])).toString('base64url')
}

/**
 * Where the page before ended. A cursor is plain text, which the caller may have changed: it is checked like any other, and
 * one of another order or of no sense is refused with INVALID_QUERY.
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
