import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { prepareInsert } from '../../../foundation/db/prepared.ts'
import { newUuid } from '../../../foundation/ids.ts'

/** A part of a payment that pays an order. */
export type Allocation = {
  readonly paymentId: Id<'payment'>
  readonly orderId: Id<'order'>
  /** In minor units, more than zero. */
  readonly amount: number
}

const insertAllocation = prepareInsert('paymentAllocation')

/** Ties a payment to the order that it pays; a payment may pay several orders, and an order may have several payments. */
export async function allocate(tx: Tx, now: Date, allocation: Allocation): Promise<void> {
  await insertAllocation(tx, { ...allocation, id: newUuid(), createdAt: now })
}

/** The payments of an order with what each paid of it, the first payment first. */
export const listPaymentsOfOrder = (db: Db, orderId: Id<'order'>) =>
  db
    .selectFrom('paymentAllocation')
    .innerJoin('payment', 'payment.id', 'paymentAllocation.paymentId')
    .selectAll('payment')
    .select('paymentAllocation.amount as allocatedAmount')
    .where('paymentAllocation.orderId', '=', orderId)
    .orderBy('paymentAllocation.createdAt')
    .orderBy('paymentAllocation.id')
    .execute()
