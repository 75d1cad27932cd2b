import type { Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { before, type CheckoutStatus, checkoutTransitions } from '../states.ts'

type CheckoutRow = Selectable<Tables['checkout']>

export const findCheckoutById = (db: Db, id: string): Promise<CheckoutRow | undefined> =>
  db.selectFrom('checkout').selectAll().where('id', '=', id).executeTakeFirst()

/** Moves a checkout to another state; nothing where it is in none that leads there. */
export const transitionCheckout = (
  tx: Tx,
  id: string,
  next: CheckoutStatus,
  changes: Updateable<Tables['checkout']>,
): Promise<CheckoutRow | undefined> =>
  tx
    .updateTable('checkout')
    .set({ ...changes, status: next })
    .where('id', '=', id)
    .where('status', 'in', before(checkoutTransitions, next))
    .returningAll()
    .executeTakeFirst()

/** Says what the buyer's browser has to do; nothing where nobody waits for that any more. */
export const noteAction = (
  tx: Tx,
  id: string,
  processorMetadata: string,
  now: Date,
): Promise<CheckoutRow | undefined> =>
  tx
    .updateTable('checkout')
    .set({ processorMetadata, modifiedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'confirmed')
    .returningAll()
    .executeTakeFirst()
