import type { DocumentKind } from '../document-content.ts'

/** The words of documents in one language; what stands in braces is filled in. */
export type DocumentWords = {
  readonly title: Readonly<Record<DocumentKind, string>>
  readonly number: string
  readonly issued: string
  /** Of invoices: when what they are about was delivered. */
  readonly supplied: string
  /** Of credit notes: which invoice they are about. */
  readonly forInvoice: string
  readonly paidOn: string
  readonly refundedOn: string
  /** Of a credit note whose money has come back. */
  readonly voidSince: string
  readonly voidNote: string
  readonly seller: string
  readonly buyer: string
  readonly taxId: string
  readonly description: string
  readonly amount: string
  /** When what stands on a line is delivered: from `start` to `end`. */
  readonly period: string
  readonly subtotal: string
  readonly discount: string
  readonly net: string
  readonly tax: string
  /** What a tax is computed on. */
  readonly taxedAmount: string
  readonly total: string
  readonly refunded: string
  readonly card: string
  readonly reverseCharge: string
  readonly exempt: string
  /** Where something is written by the numbers of its letters, which the document's font does not have. */
  readonly numbered: string
  readonly testMode: string
  readonly page: string
}
