import type { Customer, CustomerState } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import { emitBilling } from '../events.ts'
import { type ActiveSubscriptionRow, findShownCustomer, listActiveSubscriptions } from './customer.repository.ts'
import { toCustomer } from './customer-view.ts'

/** A customer with their active subscriptions (CUS-3); undefined if there is no such customer. */
export async function findCustomerState(
  ctx: Pick<Context, 'config'>,
  db: Db,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<CustomerState | undefined> {
  const customer = await findShownCustomer(db, organizationId, customerId)
  return customer && stateOf(db, organizationId, toCustomer(ctx, customer))
}

async function stateOf(db: Db, organizationId: Id<'organization'>, customer: Customer): Promise<CustomerState> {
  const subscriptions = await listActiveSubscriptions(db, organizationId, customer.id)
  return {
    ...customer,
    activeSubscriptions: subscriptions.map(toActiveSubscription),
    grantedBenefits: [],
    activeMeters: [],
  }
}

type ActiveSubscription = CustomerState['activeSubscriptions'][number]

/** The contract has only `active` here; it includes subscriptions on trial. */
const toActiveSubscription = (row: ActiveSubscriptionRow): ActiveSubscription => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: row.modifiedAt?.toISOString() ?? null,
  metadata: row.metadata,
  customFieldData: row.customFieldData,
  status: 'active',
  amount: row.amount,
  currency: row.currency,
  recurringInterval: row.recurringInterval,
  currentPeriodStart: row.currentPeriodStart.toISOString(),
  currentPeriodEnd: row.currentPeriodEnd?.toISOString() ?? null,
  cancelAtPeriodEnd: row.cancelAtPeriodEnd,
  canceledAt: row.canceledAt?.toISOString() ?? null,
  startedAt: row.startedAt?.toISOString() ?? null,
  endsAt: row.endsAt?.toISOString() ?? null,
  discountId: row.discountId,
  productId: row.productId,
  meters: [],
})

/** The same for a customer who was read in this transaction, and has not changed since. */
export async function tellStateOf(
  ctx: Context,
  tx: Tx,
  organizationId: Id<'organization'>,
  customer: Customer,
): Promise<void> {
  const state = await stateOf(tx, organizationId, customer)
  await emitBilling(tx, ctx.clock.now(), { organizationId, actorId: null }, 'customer.state_changed', state)
}

/** Emits customer.state_changed (CUS-4). Call it last: the event carries the state as it is now. */
export async function tellStateChanged(
  ctx: Context,
  tx: Tx,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
  actorId: Id<'user'> | null = null,
): Promise<void> {
  const state = await findCustomerState(ctx, tx, organizationId, customerId)
  if (state) await emitBilling(tx, ctx.clock.now(), { organizationId, actorId }, 'customer.state_changed', state)
}
