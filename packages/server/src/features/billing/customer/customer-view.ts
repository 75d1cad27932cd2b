import type { Customer } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import { avatarUrl } from './avatar.ts'
import { findShownCustomer, type ShownCustomerRow, shownCustomers } from './customer.repository.ts'

/** A customer as responses and events show it. */
export const toCustomer = (ctx: Pick<Context, 'config'>, row: ShownCustomerRow): Customer => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: row.modifiedAt?.toISOString() ?? null,
  metadata: row.metadata,
  externalId: row.externalId,
  email: row.email,
  emailVerified: row.emailVerified,
  name: row.name,
  billingAddress: row.billingAddress,
  taxId: row.taxId,
  organizationId: row.organizationId,
  deletedAt: row.deletedAt?.toISOString() ?? null,
  avatarUrl: avatarUrl(ctx, row.emailKey),
  type: row.buyerOrganizationId === null ? 'individual' : 'team',
  billingName: row.billingName,
  locale: null,
  defaultPaymentMethodId: row.defaultPaymentMethodId,
  userId: row.userId,
  buyerOrganizationId: row.buyerOrganizationId,
})

/** Customers as responses show them, in one query; includes removed ones, because orders still name them. */
export async function readCustomers(
  ctx: Pick<Context, 'config'>,
  db: Db,
  organizationId: Id<'organization'>,
  ids: readonly Id<'customer'>[],
): Promise<Map<string, Customer>> {
  if (ids.length === 0) return new Map()
  const [id] = ids
  const only = id !== undefined && ids.length === 1 ? await findShownCustomer(db, organizationId, id) : undefined
  const rows = only ? [only] : await shownCustomers(db, organizationId).where('customer.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toCustomer(ctx, row)]))
}
