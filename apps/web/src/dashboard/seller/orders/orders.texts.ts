import { filled, translated } from '../../language.ts'
import english from '../locales/orders/en.json' with { type: 'json' }

const words = translated?.seller.orders ?? english

/** The texts of the pages of orders. */
export const ordersWords = {
  ...words,
  refunded: (amount: string) => filled(words.refunded, { amount }),
  dueOn: (day: string) => filled(words.dueOn, { day }),
  overdueSince: (day: string) => filled(words.overdueSince, { day }),
  order: {
    ...words.order,
    title: (number: string) => filled(words.order.title, { number }),
    voiding: { ...words.order.voiding, title: (number: string) => filled(words.order.voiding.title, { number }) },
    markingPaid: {
      ...words.order.markingPaid,
      title: (number: string) => filled(words.order.markingPaid.title, { number }),
      text: (amount: string) => filled(words.order.markingPaid.text, { amount }),
    },
    payLink: {
      ...words.order.payLink,
      buttonOf: (name: string) => filled(words.order.payLink.buttonOf, { name }),
      copied: (day: string) => filled(words.order.payLink.copied, { day }),
    },
    ticket: {
      ...words.order.ticket,
      discount: (name: string) => filled(words.order.ticket.discount, { name }),
      taxLine: (name: string, percent: string) => filled(words.order.ticket.taxLine, { name, percent }),
    },
  },
}
