import type { Db, Tx } from '../../db/database.ts'

/** A payment that Stripe is asked for, and who pays. */
export type StripePayment = {
  readonly id: string
  readonly organizationId: string
  readonly checkoutId: string | null
  readonly customerId: string | null
  readonly purpose: string
  readonly amount: number
  readonly currency: string
  readonly processorReference: string | null
  readonly isTest: boolean
  readonly createdAt: Date
  readonly email: string | null
  readonly name: string | null
  /** Whom the customer is at Stripe, if they are known there. */
  readonly stripeCustomer: string | null
}

export const findStripePayment = (db: Db, id: string): Promise<StripePayment | undefined> =>
  db
    .selectFrom('payment')
    .leftJoin('customer', 'customer.id', 'payment.customerId')
    .leftJoin('stripeCustomer', 'stripeCustomer.customerId', 'payment.customerId')
    .select([
      'payment.id',
      'payment.organizationId',
      'payment.checkoutId',
      'payment.customerId',
      'payment.purpose',
      'payment.amount',
      'payment.currency',
      'payment.processorReference',
      'payment.isTest',
      'payment.createdAt',
      'customer.email',
      'customer.name',
      'stripeCustomer.reference as stripeCustomer',
    ])
    .where('payment.id', '=', id)
    .where('payment.processor', '=', 'stripe')
    .executeTakeFirst()

/** Keeps whom a customer is at Stripe; whoever is known there already stays who they are. The one who counts. */
export async function keepStripeCustomer(tx: Tx, customerId: string, reference: string, now: Date): Promise<string> {
  await tx
    .insertInto('stripeCustomer')
    .values({ customerId, reference, createdAt: now })
    .onConflict((conflict) => conflict.column('customerId').doNothing())
    .execute()
  const kept = await tx
    .selectFrom('stripeCustomer')
    .select('reference')
    .where('customerId', '=', customerId)
    .executeTakeFirstOrThrow()
  return kept.reference
}

/** Forgets whom a customer was at Stripe; not whom they have become there meanwhile. */
export async function forgetStripeCustomer(tx: Tx, customerId: string, reference: string): Promise<void> {
  await tx
    .deleteFrom('stripeCustomer')
    .where('customerId', '=', customerId)
    .where('reference', '=', reference)
    .execute()
}

/** Makes a customer the one at Stripe to whom the method belongs that they are charged by. */
export async function adoptStripeCustomer(tx: Tx, customerId: string, reference: string, now: Date): Promise<void> {
  await tx
    .insertInto('stripeCustomer')
    .values({ customerId, reference, createdAt: now })
    .onConflict((conflict) => conflict.column('customerId').doUpdateSet({ reference }))
    .execute()
}

/** Notes what Stripe calls a payment; false where it has come to its end. */
export async function noteIntent(tx: Tx, paymentId: string, reference: string): Promise<boolean> {
  const noted = await tx
    .updateTable('payment')
    .set({ processorReference: reference })
    .where('id', '=', paymentId)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirst()
  return noted !== undefined
}

/** What Stripe calls the payment that a refund gives back. */
export async function findRefundedIntent(db: Db, refundId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('refund')
    .innerJoin('payment', 'payment.id', 'refund.paymentId')
    .select('payment.processorReference')
    .where('refund.id', '=', refundId)
    .where('refund.processor', '=', 'stripe')
    .executeTakeFirst()
  return row?.processorReference ?? undefined
}
