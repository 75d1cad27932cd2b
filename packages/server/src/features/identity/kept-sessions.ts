import type { Context } from '../../foundation/context.ts'
import type { Database } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'

type Kept = { readonly row: SessionRow; readonly version: number }

/** Limits on the length of a Cookie header and on the number of entries. */
const headerLimit = 6000
const countLimit = 8000

const shelves = new WeakMap<Database, Map<string, Kept>>()

/**
 * The stored session of a Cookie header, expired or not. Sessions are cached by header, so that no signature is
 * checked and no row read twice. An entry is valid only while no process has written sessions, users, members or
 * organizations (`database.version`). Where the database cannot tell (PostgreSQL), nothing is cached. `tokenOf`
 * reads the session's token from the header; null means none.
 */
export async function readSession(
  { database }: Pick<Context, 'database'>,
  header: string,
  tokenOf: () => string | null,
): Promise<SessionRow | undefined> {
  const version = database.version('sessions')
  const shelf = shelfOf(database)
  const known = shelf.get(header)
  if (known) {
    if (known.version === version) return known.row
    shelf.delete(header)
  }
  const token = tokenOf()
  const row = token === null ? undefined : await database.findSessionRow(token)
  // A concurrent write may have changed the row.
  if (row && version !== undefined && version === database.version('sessions')) keep(shelf, header, { row, version })
  return row
}

function shelfOf(database: Database): Map<string, Kept> {
  let shelf = shelves.get(database)
  if (!shelf) {
    shelf = new Map()
    shelves.set(database, shelf)
  }
  return shelf
}

function keep(shelf: Map<string, Kept>, header: string, session: Kept): void {
  if (header.length > headerLimit) return
  if (shelf.size >= countLimit) {
    const [oldest] = shelf.keys()
    if (oldest !== undefined) shelf.delete(oldest)
  }
  shelf.set(header, session)
}
