import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'

/** Makes an organization that may sell look as if it had sold something: an order, and nothing else of a sale. */
export async function insertSale(tx: Tx, organizationId: Id<'organization'>, createdAt: Date): Promise<void> {
  const amounts = { subtotalAmount: 0, discountAmount: 0, netAmount: 0, taxAmount: 0, totalAmount: 0 }
  const none = { appliedBalanceAmount: 0, refundedAmount: 0, refundedTaxAmount: 0 }
  await tx
    .insertInto('order')
    .values({
      ...amounts,
      ...none,
      id: newUuid(),
      organizationId,
      status: 'paid',
      billingReason: 'purchase',
      currency: 'usd',
      customerId: newUuid(),
      productId: newUuid(),
      // Nothing reads it: only the presence of the order counts.
      snapshot: {} as never,
      customFieldData: {},
      metadata: {},
      createdAt,
    })
    .execute()
}
