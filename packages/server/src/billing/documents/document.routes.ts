import type { documentCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../../http/billing-route.ts'
import {
  createOrderInvoice,
  getOrderInvoice,
  getOrderReceipt,
  listOrderDocuments,
  updateOrder,
} from './document.service.ts'
import { exportDisputes, exportOrders, exportPayments, exportRefunds, exportSubscriptions } from './export.service.ts'

/** Each call of the contract and the service that does it. */
export const documentRoutes: BillingRoutes<typeof documentCalls> = {
  updateOrder: ({ ctx, seller, params, body }) => updateOrder(ctx, seller, params.id, body),
  createOrderInvoice: ({ ctx, seller, params }) => createOrderInvoice(ctx, seller, params.id),
  getOrderInvoice: ({ ctx, seller, params }) => getOrderInvoice(ctx, seller, params.id),
  getOrderReceipt: ({ ctx, seller, params }) => getOrderReceipt(ctx, seller, params.id),
  listOrderDocuments: ({ ctx, seller, params }) => listOrderDocuments(ctx, seller, params.id),
  exportOrders: ({ ctx, seller, query }) => exportOrders(ctx, seller, query),
  exportPayments: ({ ctx, seller, query }) => exportPayments(ctx, seller, query),
  exportRefunds: ({ ctx, seller, query }) => exportRefunds(ctx, seller, query),
  exportDisputes: ({ ctx, seller, query }) => exportDisputes(ctx, seller, query),
  exportSubscriptions: ({ ctx, seller, query }) => exportSubscriptions(ctx, seller, query),
}
