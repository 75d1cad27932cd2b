import { orderName } from '@tollgate/contract/billing'

/** Minimum number of digits. */
const places = 6

/** The number `ACME-000123` of an organization's n-th invoice (ORD-7). */
export const invoiceNumber = ({ prefix, number }: { readonly prefix: string; readonly number: number }): string =>
  `${prefix}-${String(number).padStart(places, '0')}`

/** The number `ACME-CN-000007` of an organization's n-th credit note. */
export const creditNoteNumber = ({ prefix, number }: { readonly prefix: string; readonly number: number }): string =>
  `${prefix}-CN-${String(number).padStart(places, '0')}`

/** The number of a seller, as people type it: its digits with or without zeros, prefix and the mark of a receipt. */
const typed = /^(?:(?<prefix>.+)-)?0*(?<number>[1-9]\d{0,9})(?<receipt>-R)?$/

/** The numbers of invoices and receipts that a text of a search stands for; `120` and `acme-120` stand for `ACME-000120`. */
export function numbersMeant(text: string, prefix: string | undefined): string[] {
  const given = text.toUpperCase()
  const found = typed.exec(given)?.groups
  if (!prefix || !found || (found.prefix !== undefined && found.prefix !== prefix)) return [given]
  const number = invoiceNumber({ prefix, number: Number(found.number) })
  return [...new Set([given, found.receipt ? `${number}-R` : number])]
}

/**
 * The receipt's number, which the order keeps. With an invoice it follows from the invoice's, `ACME-000123-R`. Without
 * one it follows from the order's id, because receipts need no series: `R-4F6B2A9C01`.
 */
export const receiptNumber = (order: { readonly id: string; readonly invoiceNumber: string | null }): string =>
  order.invoiceNumber === null ? orderName(order) : `${order.invoiceNumber}-R`
