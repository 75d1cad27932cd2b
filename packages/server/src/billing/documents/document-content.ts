import type { Address, SaleTax } from '@tollgate/contract/billing-types'
import type { MailLocale } from '../../mail/templates.ts'

export type DocumentKind = 'invoice' | 'receipt' | 'credit_note'

/** The languages that documents are written in: those of mails. */
export type DocumentLocale = MailLocale

/** Somebody as a document names them; what is null is not known, and is left out. */
export type Party = {
  readonly name: string | null
  readonly address: Address | null
  readonly taxId: string | null
  readonly email: string | null
}

/** What was sold. Of a subscription `period` says for which time, as invoices must (directive 2006/112/EC, article 226). */
export type DocumentLine = {
  readonly label: string
  readonly amount: number
  readonly period?: { readonly start: string; readonly end: string }
}

/**
 * Everything that stands on a document, as it was when it was issued (ORD-7): stored as JSON, never changed, and all that it
 * is drawn from. Amounts are whole minor units and, on credit notes too, positive; times are ISO 8601.
 */
export type DocumentContent = {
  readonly kind: DocumentKind
  readonly number: string
  readonly locale: DocumentLocale
  readonly issuedAt: string
  /** Of the order that it is about. */
  readonly invoiceNumber: string
  /**
   * When what was sold was delivered, at once when it was paid: of what is no subscription, whose lines have their periods. An
   * invoice may be issued later, and in Germany says it in any case (directive 2006/112/EC, article 226; § 14 UStG). Documents
   * of before it was written do not have it.
   */
  readonly suppliedAt?: string
  /** When the money has gone where it went, to the seller or back. */
  readonly paidAt: string
  readonly currency: string
  /** `name` is what it is called; `legalName` who it is at law, where it has said so. */
  readonly seller: Party & {
    readonly legalName: string | null
    readonly website: string | null
    /** What it has to say on every document. Documents of before it could be said do not have it. */
    readonly note?: string | null
  }
  readonly buyer: Party
  readonly lines: readonly DocumentLine[]
  readonly discount: { readonly name: string; readonly amount: number } | null
  readonly netAmount: number
  readonly tax: SaleTax | null
  readonly taxAmount: number
  readonly totalAmount: number
  readonly card: { readonly brand: string; readonly lastFour: string } | null
  /** Whether no real money has moved. */
  readonly isTest: boolean
}

/** A document as it is drawn: a credit note whose money has come back says so, which is not written on it before. */
export type DrawnContent = DocumentContent & {
  /** ISO 8601. */
  readonly voidedAt?: string | undefined
}

/** What a document is called where it is kept: letters, digits, `.`, `_` and `-`. */
export const fileNameOf = ({ number }: { readonly number: string }): string => `${number.replace(/[^\w.-]/g, '_')}.pdf`
