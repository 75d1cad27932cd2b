import type { Insertable } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

export async function insertCustomerSession(tx: Tx, session: Insertable<Tables['customerSession']>): Promise<void> {
  await tx.insertInto('customerSession').values(session).execute()
}

/** Ends what only a typed address has opened: somebody else buys as the same customer, or proves to be them. */
export async function endUnprovenSessions(tx: Tx, organizationId: string, customerId: string): Promise<void> {
  await tx
    .deleteFrom('customerSession')
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('isUnproven', '=', true)
    .execute()
}

export async function endSessionsOf(tx: Tx, organizationId: string, customerId: string): Promise<void> {
  await tx
    .deleteFrom('customerSession')
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .execute()
}
