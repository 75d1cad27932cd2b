import { catalogTables } from './tables/catalog.ts'
import { checkoutTables } from './tables/checkout.ts'
import type { Column } from './tables/columns.ts'
import { customerTables } from './tables/customer.ts'
import { identityTables } from './tables/identity.ts'
import { installationTables } from './tables/installation.ts'
import { orderTables } from './tables/order.ts'
import { organizationTables } from './tables/organization.ts'
import { paymentTables } from './tables/payments.ts'
import { priceChangeTables } from './tables/price-change.ts'
import { sellerTables } from './tables/seller.ts'
import { trialTables } from './tables/trial.ts'
import { webhookTables } from './tables/webhook.ts'

/**
 * Every table with the kind of each column. Row types and the codec derive from this list; the migrations make the
 * same tables. Most tables follow those they refer to: an export writes them in this order.
 */
export const tables = {
  ...identityTables,
  ...organizationTables,
  // Billing. Every index starts with the selling organization, so that the tables can be distributed by it.
  ...sellerTables,
  ...catalogTables,
  ...customerTables,
  ...checkoutTables,
  ...trialTables,
  ...orderTables,
  ...priceChangeTables,
  ...webhookTables,
  ...paymentTables,
  ...installationTables,
} as const satisfies Record<string, Record<string, Column>>

/** The database as Kysely sees it. */
export type Tables = {
  [Name in keyof typeof tables]: {
    [ColumnName in keyof (typeof tables)[Name]]: (typeof tables)[Name][ColumnName] extends Column<infer Type>
      ? Type
      : never
  }
}
