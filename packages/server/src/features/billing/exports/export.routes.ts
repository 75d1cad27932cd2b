import type { documentCalls } from '@tollgate/contract/billing'
import type { ExportCall } from '../documents/document.routes.ts'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import { exportDisputes, exportOrders, exportPayments, exportRefunds, exportSubscriptions } from './export.service.ts'

/** Each call of the contract and the service that does it. */
export const exportRoutes: BillingRoutes<Pick<typeof documentCalls, ExportCall>> = {
  exportOrders: ({ ctx, seller, query }) => exportOrders(ctx, seller, query),
  exportPayments: ({ ctx, seller, query }) => exportPayments(ctx, seller, query),
  exportRefunds: ({ ctx, seller, query }) => exportRefunds(ctx, seller, query),
  exportDisputes: ({ ctx, seller, query }) => exportDisputes(ctx, seller, query),
  exportSubscriptions: ({ ctx, seller, query }) => exportSubscriptions(ctx, seller, query),
}
