import type { CustomerState } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import { emitBilling } from '../events.ts'
import { type ActiveSubscriptionRow, findShownCustomer, listActiveSubscriptions } from './customer.repository.ts'
import { toCustomer } from './customer-view.ts'

/** What a customer has now (CUS-3): nothing where there is no such customer. */
export async function findCustomerState(
  ctx: Pick<Context, 'config'>,
  db: Db,
  organizationId: string,
  customerId: string,
): Promise<CustomerState | undefined> {
  const customer = await findShownCustomer(db, organizationId, customerId)
  if (!customer) return undefined
  const subscriptions = await listActiveSubscriptions(db, organizationId, customerId)
  return {
    ...toCustomer(ctx, customer),
    activeSubscriptions: subscriptions.map(toActiveSubscription),
    grantedBenefits: [],
    activeMeters: [],
  }
}

type ActiveSubscription = CustomerState['activeSubscriptions'][number]

/** The wire's clients know one status here: a subscription on trial counts as active, too. */
const toActiveSubscription = (row: ActiveSubscriptionRow): ActiveSubscription => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: row.modifiedAt?.toISOString() ?? null,
  metadata: row.metadata as ActiveSubscription['metadata'], // these are written from their schemas
  customFieldData: row.customFieldData as ActiveSubscription['customFieldData'],
  status: 'active',
  amount: row.amount,
  currency: row.currency,
  recurringInterval: row.recurringInterval as ActiveSubscription['recurringInterval'],
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

/** Tells that something of what a customer has, or the customer, has changed (CUS-4): as it is now, after everything else. */
export async function tellStateChanged(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  customerId: string,
  actorId: string | null = null,
): Promise<void> {
  const state = await findCustomerState(ctx, tx, organizationId, customerId)
  if (state) await emitBilling(tx, ctx.clock.now(), { organizationId, actorId }, 'customer.state_changed', state)
}
