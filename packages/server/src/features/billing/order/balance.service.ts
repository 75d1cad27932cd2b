import { amountLimit } from '@tollgate/contract/billing-schemas'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { findCustomer, lockCustomer } from '../customer/customer.repository.ts'
import { inBody, invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import {
  type BalanceEntryRow,
  insertBalanceEntry,
  ledgerSumOf,
  listBalances,
  pageOfBalanceEntries,
} from './balance.repository.ts'

/** A customer's balance in each currency, with a page of the ledger (SUB-30). */
export const listCustomerBalance: BillingHandler<'listCustomerBalance'> = async ({ ctx, seller, params, query }) => {
  const customer = await findCustomer(ctx.db, seller.organizationId, params)
  if (!customer) throw new TollgateError('RESOURCE_NOT_FOUND')
  const { rows, pagination } = await pageOfBalanceEntries(ctx.db, customer.id, query)
  return { balances: await listBalances(ctx.db, customer.id), items: rows.map(toEntry), pagination }
}

/**
 * Adds an entry by hand: credit that the next orders in its currency use, or a debt that the next renewal collects
 * (SUB-30). The balance stays within what a processor can charge at once, because one order may collect all of it.
 */
export const changeCustomerBalance: BillingHandler<'changeCustomerBalance'> = async ({ ctx, seller, params, body }) => {
  const { organizationId, actorId } = seller
  const { amount, currency, reason: note } = body
  const most = Math.min(ctx.payments.forNewCheckouts.limitsIn(currency).most, amountLimit)
  return ctx.transaction(async (tx) => {
    const customer = await lockCustomer(tx, organizationId, params)
    if (!customer) throw new TollgateError('RESOURCE_NOT_FOUND')
    const after = (await ledgerSumOf(tx, customer.id, currency)) + amount
    if (Math.abs(after) > most) throw invalid(inBody('amount', `The balance would exceed ${most} ${currency}.`))
    const entry: BalanceEntryRow = {
      id: newUuid(),
      organizationId,
      customerId: customer.id,
      currency,
      amount,
      reason: 'manual',
      note,
      orderId: null,
      refundId: null,
      paymentId: null,
      actorId,
      createdAt: ctx.clock.now(),
    }
    await insertBalanceEntry(tx, entry)
    return toEntry(entry)
  })
}

const toEntry = (row: BalanceEntryRow): BillingAnswer<'changeCustomerBalance'> => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  customerId: row.customerId,
  amount: row.amount,
  currency: row.currency,
  type: row.reason,
  reason: row.note,
  orderId: row.orderId,
  refundId: row.refundId,
  paymentId: row.paymentId,
  actorId: row.actorId,
})
