import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import type { CustomerRow } from './customer.repository.ts'

declare module '../../../foundation/context.ts' {
  interface Ports {
    readonly purchases: PurchasesOfCustomers
  }
}

/** Port to subscriptions and payments, which lie above customers in the import order. */
export type PurchasesOfCustomers = {
  /** Ends a customer's subscriptions and payments in the transaction that removes the customer. The row is locked. */
  endAll(
    ctx: Context,
    tx: Tx,
    customer: Pick<CustomerRow, 'organizationId' | 'id'>,
    actorId: Id<'user'> | null,
  ): Promise<void>
}
