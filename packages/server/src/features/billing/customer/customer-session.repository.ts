import type { Insertable } from 'kysely'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { prepareInsert } from '../../../foundation/db/prepared.ts'
import type { Tables } from '../../../foundation/db/tables.ts'

const insertSessions = prepareInsert('customerSession')

export async function insertCustomerSession(tx: Tx, session: Insertable<Tables['customerSession']>): Promise<void> {
  await insertSessions(tx, session)
}

/** Ends the sessions that only a typed address opened, when another buyer uses or proves that address. */
export async function endUnprovenSessions(
  tx: Tx,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<void> {
  await tx
    .deleteFrom('customerSession')
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('isUnproven', '=', true)
    .execute()
}

export async function endSessionsOf(
  tx: Tx,
  organizationId: Id<'organization'>,
  customerId: Id<'customer'>,
): Promise<void> {
  await tx
    .deleteFrom('customerSession')
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .execute()
}

export async function deleteExpiredCustomerSessions(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('customerSession').where('expiresAt', '<=', now).execute()
}
