import { number } from '../texts.ts'

/** The texts of the page of open disputes. */
export const disputesWords = {
  title: 'Disputes',
  text: 'What buyers have asked their banks to take back, and no bank has decided yet. You answer at the payment processor, whose account is yours; those of the sandbox are decided by their sellers.',
  table: 'Open disputes',
  columns: {
    amount: 'Amount',
    status: 'Status',
    due: 'Answer until',
    organization: 'Organization',
    case: 'Case',
    created: 'Opened',
  },
  order: (invoiceNumber: string) => `Invoice ${invoiceNumber}`,
  test: 'Test money',
  pastDue: 'too late',
  nothingDue: 'Nothing to answer',
  noDay: 'As soon as possible',
  processors: { stripe: 'Stripe', sandbox: 'Sandbox' } as Readonly<Record<string, string>>,
  loading: 'Loading disputes',
  none: { title: 'No open disputes', text: 'When a bank asks about a payment or takes one back, it appears here.' },
  noMatch: { title: 'No disputes here', text: 'There are no more open ones.', clear: 'Show the first page' },
  shown: (page: number, count: number) =>
    `Page ${number.format(page)}: ${count === 1 ? '1 dispute' : `${number.format(count)} disputes`}`,
} as const
