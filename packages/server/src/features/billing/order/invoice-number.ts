import { orderName } from '@tollgate/contract/billing'

/** Minimum number of digits. */
const places = 6

/** The number `ACME-000123` of an organization's n-th invoice (ORD-7). */
export const invoiceNumber = ({ prefix, number }: { readonly prefix: string; readonly number: number }): string =>
  `${prefix}-${String(number).padStart(places, '0')}`

/**
 * The receipt's number, which the order keeps. With an invoice it follows from the invoice's, `ACME-000123-R`. Without
 * one it follows from the order's id, because receipts need no series: `R-4F6B2A9C01`.
 */
export const receiptNumber = (order: { readonly id: string; readonly invoiceNumber: string | null }): string =>
  order.invoiceNumber === null ? orderName(order) : `${order.invoiceNumber}-R`
