import type { documentCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../seller/billing-routes.ts'
import {
  createOrderInvoice,
  getOrderInvoice,
  getOrderReceipt,
  listOrderDocuments,
  updateOrder,
} from './document.service.ts'

/** Bookkeeping exports read from layers above documents too, so `exports/` has their routes. */
export type ExportCall = Extract<keyof typeof documentCalls, `export${string}`>

/** Each call of the contract and the service that does it. */
export const documentRoutes: BillingRoutes<Omit<typeof documentCalls, ExportCall>> = {
  updateOrder: ({ ctx, seller, params, body }) => updateOrder(ctx, seller, params.id, body),
  createOrderInvoice: ({ ctx, seller, params }) => createOrderInvoice(ctx, seller, params.id),
  getOrderInvoice: ({ ctx, seller, params }) => getOrderInvoice(ctx, seller, params.id),
  getOrderReceipt: ({ ctx, seller, params }) => getOrderReceipt(ctx, seller, params.id),
  listOrderDocuments: ({ ctx, seller, params }) => listOrderDocuments(ctx, seller, params.id),
}
