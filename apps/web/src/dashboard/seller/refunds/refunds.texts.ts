import { filled, translated } from '../../language.ts'
import english from '../locales/refunds/en.json' with { type: 'json' }

const words = translated?.seller.refunds ?? english

/** What the pages of refunds and disputes say, and refunds on the page of an order. */
export const refundsWords = {
  ...words,
  tax: (amount: string) => filled(words.tax, { amount }),
  disputes: {
    ...words.disputes,
    banner: (until: string | undefined) =>
      until ? filled(words.disputes.bannerUntil, { until }) : words.disputes.banner,
    inquiry: (until: string | undefined) =>
      until ? filled(words.disputes.inquiryUntil, { until }) : words.disputes.inquiry,
    notice: (count: number) => filled(words.disputes.notice, { count }),
    noticeDue: (until: string) => filled(words.disputes.noticeDue, { until }),
  },
  panel: {
    ...words.panel,
    creditNote: (number: string) => filled(words.panel.creditNote, { number }),
  },
  dialog: {
    ...words.dialog,
    title: (number: string) => filled(words.dialog.title, { number }),
    most: (amount: string) => filled(words.dialog.most, { amount }),
    mostWithTax: (amount: string) => filled(words.dialog.mostWithTax, { amount }),
    amountHigh: (amount: string) => filled(words.dialog.amountHigh, { amount }),
    submit: (total: string) => filled(words.dialog.submit, { total }),
    succeeded: (total: string) => filled(words.dialog.succeeded, { total }),
    pending: (total: string) => filled(words.dialog.pending, { total }),
  },
}
