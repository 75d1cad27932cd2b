import type { Gap } from './invoice-gaps.ts'

const list = new Intl.ListFormat('en')
const gapNames: Readonly<Record<Gap, string>> = { legalName: 'legal name', address: 'address', taxId: 'tax ID' }

/** The texts of documents, on an order's page and elsewhere. */
export const documentsWords = {
  title: 'Documents',
  loading: 'Loading documents',
  kinds: { invoice: 'Invoice', receipt: 'Receipt', credit_note: 'Credit note' },
  /** Before a time. */
  voidSince: 'Void since',
  lacksFonts:
    'Some letters appear as numbers such as [U+682A], because the server lacks their fonts. Your administrator can install @tollgate/documents-fonts.',
  open: 'Open PDF',
  openNamed: (kind: string, number: string) => `Open PDF: ${kind} ${number}`,
  notPaid: 'Documents are issued once the order is paid.',
  noInvoice: 'No invoice yet. An issued invoice never changes.',
  details: 'Edit billing details',
  issue: 'Issue invoice',
  issued: 'The invoice is issued',
  missing: 'An invoice needs the buyer’s name and address: edit the billing details first.',
  /** What they lack of the seller. */
  gaps: {
    text: (gaps: readonly Gap[]) =>
      `Invoices are issued without your ${list.format(gaps.map((gap) => gapNames[gap]))}, and do not change afterwards.`,
    fillIn: 'Fill in tax settings',
  },
  editing: {
    title: 'Billing details of this order',
    text: 'They stand on the invoice of this order; the customer’s own details stay as they are.',
    name: 'Name on the invoice',
    submit: 'Save',
    done: 'Saved',
  },
} as const
