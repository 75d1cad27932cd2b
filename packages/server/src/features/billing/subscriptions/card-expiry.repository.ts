import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import type { PaymentMethodRow } from '../customer/payment-method.repository.ts'

/** What was told of a card last: nothing, that it expires soon, or that it has expired. */
export const notices = { none: 0, expiring: 1, expired: 2 } as const

/** A card in use, with the month through which it pays. */
export type Card = Pick<
  PaymentMethodRow,
  'id' | 'organizationId' | 'customerId' | 'lastFour' | 'expYear' | 'expMonth' | 'expiryNotice'
>

/** Cards of which only this was told, those that expire first at the head. */
const cardsTold = (db: Db, notice: number) =>
  db
    .selectFrom('paymentMethod')
    .select(['id', 'organizationId', 'customerId', 'lastFour', 'expYear', 'expMonth', 'expiryNotice'])
    .where('deletedAt', 'is', null)
    .where('expiryNotice', '=', notice)
    // A method without a card has no year.
    .where('expYear', '>', 0)
    .orderBy('expYear')
    .orderBy('expMonth')
    .orderBy('id')

/** The card of which only this was told that expires first. */
export const firstCardTold = (db: Db, notice: number): Promise<Card | undefined> =>
  cardsTold(db, notice).limit(1).executeTakeFirst()

/** Cards of which only this was told, and whose month is not after the given one. */
export const listCardsTold = (
  db: Db,
  notice: number,
  { year, month }: { readonly year: number; readonly month: number },
  limit: number,
): Promise<Card[]> =>
  cardsTold(db, notice)
    .where('expYear', '<=', year)
    .where((by) => by.or([by('expYear', '<', year), by('expMonth', '<=', month)]))
    .limit(limit)
    .execute()

/** Records a notice of a card; false if another process has sent it, or the customer has removed the card. */
export async function noteTold(tx: Tx, id: Id<'paymentMethod'>, notice: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('paymentMethod')
    .set({ expiryNotice: notice })
    .where('id', '=', id)
    .where('expiryNotice', '<', notice)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
