import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'

/** Lets a customer into the portal for an hour; the token is told once. */
export async function beginCustomerSession(
  _ctx: Context,
  _tx: Tx,
  _customer: { organizationId: string; customerId: string },
): Promise<{ id: string; token: string; expiresAt: Date; createdAt: Date }> {
  throw new Error('not built yet')
}
