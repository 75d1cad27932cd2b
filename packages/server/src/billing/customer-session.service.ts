import { after, hours } from '../clock.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { newBillingSecret, newUuid } from '../ids.ts'
import { sha256 } from '../token.ts'
import { insertCustomerSession } from './customer-session.repository.ts'

/** How long the portal is open (CUS-5). */
const life = hours(1)

/** Lets a customer into the portal for an hour; the token is told once. */
export async function beginCustomerSession(
  ctx: Context,
  tx: Tx,
  { organizationId, customerId }: { organizationId: string; customerId: string },
): Promise<{ id: string; token: string; expiresAt: Date; createdAt: Date }> {
  const token = `tollgate_cst_${newBillingSecret()}`
  const createdAt = ctx.clock.now()
  const session = { id: newUuid(), expiresAt: after(createdAt, life), createdAt }
  await insertCustomerSession(tx, { ...session, organizationId, customerId, tokenHash: sha256(token) })
  return { ...session, token }
}
