import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { lockCustomer } from '../customer/customer.repository.ts'
import { findMerchant } from '../merchant/merchant.repository.ts'
import { insertPayment } from '../order/payment.repository.ts'
import type { Charge, Processor } from '../payments/processor.ts'
import { requireFewSetups } from './attempt.ts'
import { watchPayment } from './settle-payment.service.ts'

/** A method that a customer adds. */
type Setup = {
  readonly organizationId: Id<'organization'>
  readonly customerId: Id<'customer'>
  readonly confirmationToken: string
  readonly makesDefault: boolean
}

/** Records the setup of a method, under the customer's lock; the processor is asked outside of the transaction. */
export async function beginSetup(
  ctx: Context,
  tx: Tx,
  processor: Processor,
  { organizationId, customerId, confirmationToken, makesDefault }: Setup,
): Promise<Charge> {
  const now = ctx.clock.now()
  const customer = await lockCustomer(tx, organizationId, { id: customerId })
  if (!customer) throw new TollgateError('RESOURCE_NOT_FOUND')
  await requireFewSetups(tx, now, organizationId, customerId)
  const currency = await currencyFor(tx, processor, organizationId)
  const paymentId = newUuid()
  await insertPayment(tx, {
    id: paymentId,
    organizationId,
    processor: processor.name,
    purpose: 'setup',
    subject: 'setup',
    status: 'pending',
    amount: 0,
    currency,
    method: 'card',
    customerId,
    customerEmail: customer.email,
    makesDefault,
    isTest: processor.isTest,
    createdAt: now,
  })
  await watchPayment(tx, now, { id: paymentId, organizationId })
  const source = { confirmationToken }
  return { paymentId, purpose: 'setup', amount: 0, currency, source, keepMethod: true, offSession: false }
}

/** A setup moves no money, but processors want a currency that they take. */
async function currencyFor(tx: Tx, processor: Processor, organizationId: Id<'organization'>): Promise<string> {
  const usual = (await findMerchant(tx, organizationId))?.defaultCurrency
  return usual && processor.takesCurrency(usual) ? usual : 'usd'
}
