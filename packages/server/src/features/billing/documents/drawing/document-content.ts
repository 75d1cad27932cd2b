import type { Address, SaleTax } from '@tollgate/contract/billing-types'
import type { MailLocale } from '../../../../foundation/mail/templates.ts'

export type DocumentKind = 'invoice' | 'receipt' | 'credit_note'

/** A party as a document names it; null members are unknown and left out. */
export type Party = {
  readonly name: string | null
  readonly address: Address | null
  readonly taxId: string | null
  readonly email: string | null
}

/** A line item. Subscriptions have a `period`, as invoices must state it (directive 2006/112/EC, article 226). */
export type DocumentLine = {
  readonly label: string
  readonly amount: number
  /** Where there are several units; `unitAmount` is the price of one, if it is whole and known. */
  readonly quantity?: number
  readonly unitAmount?: number
  readonly period?: { readonly start: string; readonly end: string }
}

/**
 * The whole content of a document at the time of issue (ORD-7): stored as JSON, never changed, and the only input of
 * the drawing. Amounts are whole minor units, positive on credit notes too; times are ISO 8601.
 */
export type DocumentContent = {
  readonly kind: DocumentKind
  readonly number: string
  readonly locale: MailLocale
  readonly issuedAt: string
  /** Of the order that the document is about; null where it has no invoice. */
  readonly invoiceNumber: string | null
  /**
   * The delivery date, equal to the payment date; subscriptions have periods on their lines instead. Invoices may be
   * issued later, and German ones must always state it (directive 2006/112/EC, article 226; § 14 UStG). Older
   * documents lack this member.
   */
  readonly suppliedAt?: string
  /** When the money reached the seller, or went back to the buyer; of an open invoice, the date of its order. */
  readonly paidAt: string
  /** Of an invoice that was issued before its payment: when it is due, and the page to pay it at. */
  readonly dueAt?: string
  readonly payUrl?: string
  readonly currency: string
  /** `name` is the display name; `legalName` is the legal entity, if the seller has given one. */
  readonly seller: Party & {
    readonly legalName: string | null
    readonly website: string | null
    /** The seller's own text for every document. Older documents lack this member. */
    readonly note?: string | null
  }
  readonly buyer: Party
  readonly lines: readonly DocumentLine[]
  readonly discount: { readonly name: string; readonly amount: number } | null
  readonly netAmount: number
  readonly tax: SaleTax | null
  readonly taxAmount: number
  readonly totalAmount: number
  /** Negative where the buyer's credit paid a part, positive where a debt was collected. Older documents lack it. */
  readonly balanceAmount?: number
  readonly card: { readonly brand: string; readonly lastFour: string } | null
  /** Whether this credit note cancels an unpaid invoice: no money goes to the buyer. */
  readonly cancels?: true
  /** Whether this is a test document: no real money moved. */
  readonly isTest: boolean
}

/** A document to draw. A credit note becomes void only after its issue, so its content does not say so. */
export type DrawnContent = DocumentContent & {
  /** ISO 8601. */
  readonly voidedAt?: string | undefined
}

/** The file name: letters, digits, `.`, `_` and `-`. */
export const fileNameOf = ({ number }: { readonly number: string }): string => `${number.replace(/[^\w.-]/g, '_')}.pdf`
