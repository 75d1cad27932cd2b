import { filled, translated } from '../../language.ts'
import english from '../locales/customers/en.json' with { type: 'json' }

const words = translated?.seller.customers ?? english

/** The texts of the pages of customers. */
export const customersWords = {
  ...words,
  bulk: {
    ...words.bulk,
    remove: (count: number) => filled(words.bulk.remove, { count }),
    refused: (count: number) => filled(words.bulk.refused, { count }),
    removed: (count: number) => filled(words.bulk.removed, { count }),
  },
  balance: {
    ...words.balance,
    credit: (amount: string) => filled(words.balance.credit, { amount }),
    debt: (amount: string) => filled(words.balance.debt, { amount }),
    dialog: {
      ...words.balance.dialog,
      credited: (amount: string) => filled(words.balance.dialog.credited, { amount }),
      charged: (amount: string) => filled(words.balance.dialog.charged, { amount }),
    },
  },
  creation: {
    ...words.creation,
    done: (email: string) => filled(words.creation.done, { email }),
  },
  methods: {
    ...words.methods,
    expires: (month: number, year: number) =>
      filled(words.methods.expires, { month: String(month).padStart(2, '0'), year: String(year) }),
  },
  removal: {
    ...words.removal,
    title: (name: string) => filled(words.removal.title, { name }),
    subscriptions: (count: number) => filled(words.removal.subscriptions, { count }),
    confirm: (email: string) => filled(words.removal.confirm, { email }),
    done: (email: string) => filled(words.removal.done, { email }),
  },
}
