import type { Address, Customer } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { avatarUrl } from './avatar.ts'
import { type ShownCustomerRow, shownCustomers } from './customer.repository.ts'

/** A customer as answers and events show it. */
export const toCustomer = (ctx: Pick<Context, 'config'>, row: ShownCustomerRow): Customer => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  modifiedAt: row.modifiedAt?.toISOString() ?? null,
  metadata: row.metadata as Customer['metadata'], // written from the schema of metadata
  externalId: row.externalId,
  email: row.email,
  emailVerified: row.emailVerified,
  name: row.name,
  billingAddress: row.billingAddress as Address | null, // written from a checked address
  taxId: row.taxId as string[] | null, // written as the number and its kind
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

/** Customers of an organization as answers show them; removed ones too, because orders still name them. One query. */
export async function readCustomers(
  ctx: Pick<Context, 'config'>,
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, Customer>> {
  if (ids.length === 0) return new Map()
  const rows = await shownCustomers(db, organizationId).where('customer.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toCustomer(ctx, row)]))
}
