import type { BillingAnswer } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { lockCustomer } from '../customer/customer.repository.ts'
import {
  findPaymentMethod,
  type PaymentMethodRow,
  pageOfPaymentMethods,
} from '../customer/payment-method.repository.ts'
import { toPaymentMethod } from '../customer/payment-method.service.ts'
import { inBody, invalid } from '../invalid.ts'
import { findPaymentById, findSetup, type PaymentRow } from '../order/payment.repository.ts'
import type { Attempt } from '../payments/processor.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import type { PortalCustomer } from '../seller/calling-customer.service.ts'
import { attemptCharge, unknownToken } from '../settlement/attempt.ts'
import { beginSetup } from '../settlement/begin-setup.ts'
import { makeDefault } from '../settlement/default-method.service.ts'
import { settlePayment } from '../settlement/settle-payment.service.ts'

type Added = BillingAnswer<'addPortalPaymentMethod'>

/** Lists the customer's saved payment methods. */
export const listPortalPaymentMethods: BillingHandler<'listPortalPaymentMethods'> = async ({
  ctx,
  customer,
  query,
}) => {
  const { rows, pagination } = await pageOfPaymentMethods(ctx.db, customer.organizationId, customer.id, query)
  return { items: rows.map(toPaymentMethod), pagination }
}

/**
 * Saves a method in three steps, as a checkout pays: a transaction records the setup, the processor is asked outside of
 * it, and the result is settled. It takes no money.
 */
export const addPortalPaymentMethod: BillingHandler<'addPortalPaymentMethod'> = async ({ ctx, customer, body }) => {
  const processor = ctx.payments.forNewCheckouts
  // It knows tokens of the methods that it can charge later, and no others.
  if (!(await processor.findToken(body.confirmationTokenId))) throw invalid(unknownToken.issue)
  const { organizationId, id: customerId } = customer
  const { confirmationTokenId: confirmationToken, setDefault: makesDefault } = body
  const setup = { organizationId, customerId, confirmationToken, makesDefault }
  const charge = await ctx.transaction((tx) => beginSetup(ctx, tx, processor, setup))
  const attempt = await attemptCharge(ctx, processor.name, charge)
  return settled(ctx, customer, charge.paymentId, attempt)
}

/**
 * Returns what has become of a method that the cardholder had to authenticate. The processor's event may have settled it
 * already.
 */
export const confirmPortalPaymentMethod: BillingHandler<'confirmPortalPaymentMethod'> = async ({
  ctx,
  customer,
  body,
}) => {
  const setup = await findSetup(ctx.db, customer.organizationId, customer.id, body.setupIntentId)
  if (!setup) throw invalid(inBody('setup_intent_id', 'Setup intent does not exist.'))
  const attempt = setup.status === 'pending' ? await look(ctx, setup) : undefined
  const added = await settled(ctx, customer, setup.id, attempt)
  if (added.status !== 'succeeded' || !body.setDefault) return added
  const { organizationId, id: customerId } = customer
  return ctx.transaction(async (tx) => {
    await lockCustomer(tx, organizationId, customer)
    await makeDefault(ctx, tx, await requireMethod(tx, organizationId, customerId, added.id), null)
    return shown(toPaymentMethod(await requireMethod(tx, organizationId, customerId, added.id)))
  })
}

async function look(ctx: Context, { id, processor }: PaymentRow): Promise<Attempt | undefined> {
  try {
    return await ctx.payments.byName(processor)?.look(id)
  } catch (error) {
    ctx.log.error({ err: error, payment: id }, 'Looking at the setup of a payment method failed')
    return undefined
  }
}

/**
 * Settles a setup and returns its state. Where the processor has not decided, the reconciliation asks it later, and the
 * refusal says when to look again.
 */
async function settled(
  ctx: Context,
  { organizationId, id }: PortalCustomer,
  paymentId: Id<'payment'>,
  attempt: Attempt | undefined,
): Promise<Added> {
  if (attempt) await settlePayment(ctx, paymentId, attempt)
  const payment = proven(await findPaymentById(ctx.db, paymentId), 'payments are never deleted')
  if (payment.status === 'failed') throw refusalOf(payment)
  if (payment.status === 'succeeded') {
    return shown(toPaymentMethod(await requireMethod(ctx.db, organizationId, id, payment.paymentMethodId)))
  }
  if (attempt?.status !== 'requires_action' || attempt.clientSecret === undefined)
    throw new TollgateError('SERVICE_UNAVAILABLE', { retryAfter: 10 })
  return { status: 'requires_action', clientSecret: attempt.clientSecret, setupIntentId: attempt.reference }
}

/** A method that was added; not found once the customer has removed it. */
async function requireMethod(
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  id: Id<'paymentMethod'> | null,
): Promise<PaymentMethodRow> {
  const method = id === null ? undefined : await findPaymentMethod(db, organizationId, customerId, id)
  if (!method) throw new TollgateError('RESOURCE_NOT_FOUND')
  return method
}

function refusalOf({ declineReason, declineMessage }: PaymentRow): TollgateError {
  if (declineReason === unknownToken.reason) return invalid(unknownToken.issue)
  return new TollgateError('PAYMENT_METHOD_SETUP_FAILED', { values: { reason: declineMessage ?? '' } })
}

const shown = (paymentMethod: ReturnType<typeof toPaymentMethod>): Added => ({
  ...paymentMethod,
  status: 'succeeded',
  paymentMethod,
})
