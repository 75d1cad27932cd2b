import type { Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../../foundation/db/database.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { before, type CheckoutStatus, checkoutTransitions } from '../states.ts'

type CheckoutRow = Selectable<Tables['checkout']>

export const findCheckoutById = (db: Db, id: string): Promise<CheckoutRow | undefined> =>
  db.selectFrom('checkout').selectAll().where('id', '=', id).executeTakeFirst()

/** Moves a checkout to another state; undefined if its present state does not lead there. */
export const transitionCheckout = (tx: Tx, id: string, next: CheckoutStatus, changes: Updateable<Tables['checkout']>) =>
  tx
    .updateTable('checkout')
    .set({ ...changes, status: next })
    .where('id', '=', id)
    .where('status', 'in', before(checkoutTransitions, next))
    .returningAll()
    .executeTakeFirst()

/** Stores the next action for the buyer's browser; undefined if the checkout no longer waits. */
export const noteAction = (tx: Tx, id: string, processorMetadata: CheckoutRow['processorMetadata'], now: Date) =>
  tx
    .updateTable('checkout')
    .set({ processorMetadata, modifiedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'confirmed')
    .returningAll()
    .executeTakeFirst()
