import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'

/** What organizations ask of billing when they are made and ended. */

/**
 * Lets the first organization that an administrator of the installation makes sell at once (architecture, "Organization,
 * merchant, customer"); every other one waits for the operator.
 */
export async function approveFirst(_ctx: Context, _tx: Tx, _organizationId: string): Promise<void> {
  throw new Error('not built yet')
}

/** Refuses with ORGANIZATION_HAS_ORDERS to end an organization that has sold something: its books must be kept. */
export async function refuseSold(_tx: Tx, _organizationId: string): Promise<void> {
  throw new Error('not built yet')
}
