import type { Db, Tx } from './database.ts'

/**
 * The one order in which transactions lock rows. Different orders could deadlock. A transaction may skip locks, but
 * keeps the order.
 */
export const lockOrder = [
  'idempotencyKey',
  'magicLink',
  'account',
  'administrator',
  'user',
  // Several are locked by ascending id. Everything inside an organization changes under its lock.
  'organization',
  'member',
  'session',
  'webhookEndpoint',
  'accessToken',
  'product',
  'file',
  'customField',
  'checkout',
  'payment',
  'customer',
  'discount',
  'subscription',
  'priceChange',
  'order',
  'refund',
  'sandboxIntent',
  'merchant',
  // Last, because it numbers invoices: every sale of the seller with an invoice waits for it.
  'invoiceSeries',
] as const

export type Lockable = (typeof lockOrder)[number]

/** A transaction's locks: the furthest in the order, and each row locked by id. */
type Held = { furthest: number; lastId: string | undefined; readonly things: Set<string> }

const heldBy = new WeakMap<Db, Held>()

/** Makes out-of-order locks of this transaction throw, in development and tests. */
export function watchLockOrder(tx: Tx): void {
  heldBy.set(tx, { furthest: -1, lastId: undefined, things: new Set() })
}

/**
 * Records a lock that a statement takes by itself, such as a `delete` or a prepared query. A transaction may take a
 * lock that it holds again. In a watched transaction, throws if a later lock is already held.
 */
export function enterLock(tx: Db, what: Lockable, id?: string): void {
  const held = heldBy.get(tx)
  if (!held) return
  const thing = `${what} ${id}`
  if (id !== undefined && held.things.has(thing)) return
  const place = lockOrder.indexOf(what)
  const isSecondOrganization = what === 'organization' && place === held.furthest
  const isAscending = !isSecondOrganization || held.lastId === undefined || id === undefined || id > held.lastId
  if (place < held.furthest || !isAscending)
    throw new Error(
      `${thing} is locked after ${lockOrder[held.furthest]} ${held.lastId}; the order is ${lockOrder.join(', ')}`,
    )
  held.furthest = place
  held.lastId = id
  held.things.add(thing)
}

type Locking<Query> = Readonly<Record<'forUpdate' | 'forNoKeyUpdate' | 'forShare' | 'forKeyShare', () => Query>>

/**
 * Locks the rows that a query reads until the transaction ends; a SQLite transaction locks the whole database anyway.
 * `id` names a single locked row. `by` sets the strength: `forNoKeyUpdate` lets others reference the row, `forShare`
 * lets them share the lock. Throws when the lock is out of order (`lockOrder`).
 */
export function lockInOrder<Query extends Locking<Query>>(
  tx: Db,
  what: Lockable,
  id: string | undefined,
  query: Query,
  by: keyof Locking<Query> = 'forUpdate',
): Query {
  enterLock(tx, what, id)
  return query[by]()
}
