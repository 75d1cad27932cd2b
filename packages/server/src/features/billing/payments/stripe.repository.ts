import type { Db, Id, Tx } from '../../../foundation/db/database.ts'

/** A payment by Stripe, with its customer and the customer's Stripe id, if there is one. */
export type StripePayment = NonNullable<Awaited<ReturnType<typeof findStripePayment>>>

export const findStripePayment = (db: Db, id: Id<'payment'>) =>
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

/** Stores a customer's Stripe id unless there is one already; returns the stored one. */
export async function keepStripeCustomer(
  tx: Tx,
  customerId: Id<'customer'>,
  reference: string,
  now: Date,
): Promise<string> {
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

/** Forgets a customer's Stripe id, unless it has changed meanwhile. */
export async function forgetStripeCustomer(tx: Tx, customerId: Id<'customer'>, reference: string): Promise<void> {
  await tx
    .deleteFrom('stripeCustomer')
    .where('customerId', '=', customerId)
    .where('reference', '=', reference)
    .execute()
}

/** Sets a customer's Stripe id to the owner of the charged method. */
export async function adoptStripeCustomer(
  tx: Tx,
  customerId: Id<'customer'>,
  reference: string,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('stripeCustomer')
    .values({ customerId, reference, createdAt: now })
    .onConflict((conflict) => conflict.column('customerId').doUpdateSet({ reference }))
    .execute()
}

/** Stripe's id of the payment that a refund is of. */
export async function findRefundedIntent(db: Db, refundId: Id<'refund'>): Promise<string | undefined> {
  const row = await db
    .selectFrom('refund')
    .innerJoin('payment', 'payment.id', 'refund.paymentId')
    .select('payment.processorReference')
    .where('refund.id', '=', refundId)
    .where('refund.processor', '=', 'stripe')
    .executeTakeFirst()
  return row?.processorReference ?? undefined
}
