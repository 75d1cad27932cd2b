import type { MailLocale } from '../../../../foundation/mail/templates.ts'

export type DocumentKind = 'invoice' | 'receipt' | 'credit_note'

/** The languages of documents: the same as those of mails. */
export type DocumentLocale = MailLocale

/** The texts of documents in one language; braces hold placeholders. */
export type DocumentWords = {
  readonly title: Readonly<Record<DocumentKind, string>>
  readonly number: string
  readonly issued: string
  /** On invoices: the delivery date. */
  readonly supplied: string
  /** On credit notes: the invoice that the note is about. */
  readonly forInvoice: string
  readonly paidOn: string
  readonly refundedOn: string
  /** On a credit note whose money has come back. */
  readonly voidSince: string
  readonly voidNote: string
  readonly seller: string
  readonly buyer: string
  readonly taxId: string
  readonly description: string
  readonly amount: string
  /** The delivery period of a line: from `start` to `end`. */
  readonly period: string
  readonly subtotal: string
  readonly discount: string
  readonly net: string
  readonly tax: string
  /** The amount that a tax is computed on. */
  readonly taxedAmount: string
  readonly total: string
  readonly refunded: string
  readonly card: string
  readonly reverseCharge: string
  readonly exempt: string
  /** Shown if letters are written as code points because no font of the document has them. */
  readonly numbered: string
  readonly testMode: string
  readonly page: string
}
