import { placesOf } from '@tollgate/contract/billing'
import type { PurchasesOfBuyers } from '../../organization/purchases-of-buyers.ts'
import { lockCustomer } from '../customer/customer.repository.ts'
import { tellStateChanged } from '../customer/customer-state.ts'
import {
  countLiveSubscriptions,
  countMethods,
  listCustomersOfBuyers,
  listLiveSubscriptions,
  sumOpenOrders,
} from './buyer-deletion.repository.ts'
import { purchasesOfCustomers } from './customer-deletion.ts'

const withPlaces = <Sum extends { readonly currency: string }>(sum: Sum) => ({ ...sum, places: placesOf(sum.currency) })

/** What becomes of purchases whose account or organization is deleted: nothing more is charged, and no credit is given. */
export const purchasesOfBuyers: PurchasesOfBuyers = {
  async plan(db, buyers) {
    const found = await listCustomersOfBuyers(db, buyers)
    if (found.length === 0)
      return { subscriptions: [], subscriptionCount: 0, voided: [], due: [], paymentMethodCount: 0 }
    const customers = {
      organizationIds: [...new Set(found.map(({ organizationId }) => organizationId))],
      customerIds: found.map(({ id }) => id),
    }
    const rows = await listLiveSubscriptions(db, customers)
    return {
      subscriptions: rows.map(({ status, intervalCount, currentPeriodEnd, ...row }) => ({
        ...row,
        recurringIntervalCount: intervalCount,
        currentPeriodEnd: status === 'paused' ? null : (currentPeriodEnd?.toISOString() ?? null),
      })),
      subscriptionCount: await countLiveSubscriptions(db, customers),
      voided: (await sumOpenOrders(db, customers, 'live subscriptions')).map(withPlaces),
      due: (await sumOpenOrders(db, customers, 'others')).map(withPlaces),
      paymentMethodCount: await countMethods(db, customers),
    }
  },

  async endAll(ctx, tx, buyers, actorId) {
    const customers = await listCustomersOfBuyers(tx, buyers)
    // All customers before any of their subscriptions: the order of locks.
    for (const { organizationId, id } of customers) await lockCustomer(tx, organizationId, { id })
    for (const customer of customers) {
      await purchasesOfCustomers.endAll(ctx, tx, customer, actorId)
      await tellStateChanged(ctx, tx, customer.organizationId, customer.id, actorId)
    }
  },
}
