import type { Address, Customer } from '@tollgate/contract/billing-types'
import type { Selectable } from 'kysely'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'

export type CustomerRow = Selectable<Tables['customer']>

/** Customers of an organization as answers show them; removed ones too, because orders still name them. */
export async function readCustomers(
  _db: Db,
  _organizationId: string,
  _ids: readonly string[],
): Promise<Map<string, Customer>> {
  throw new Error('not built yet')
}

/** Who confirms a checkout, as far as it is known. */
export type Buyer = {
  readonly organizationId: string
  readonly customerId: string | null
  readonly externalId: string | null
  readonly email: string
  readonly name: string | null
  readonly billingName: string | null
  readonly billingAddress: Address | null
  /** Checked by then: the number and its kind. */
  readonly taxId: readonly [number: string, format: string] | null
  readonly metadata: Readonly<Record<string, string | number | boolean>>
  readonly userId: string | null
  readonly buyerOrganizationId: string | null
}

/**
 * The customer of a confirmed checkout (CHK-15): matched by id, else by address, else made; what the buyer said is copied,
 * metadata merged, and who they are on this server linked. Emits customer.created or customer.updated.
 */
export async function admitBuyer(_ctx: Context, _tx: Tx, _buyer: Buyer): Promise<CustomerRow> {
  throw new Error('not built yet')
}
