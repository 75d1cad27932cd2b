import { filled, translated } from '../../language.ts'
import english from '../locales/payments/en.json' with { type: 'json' }

const words = translated?.seller.payments ?? english

/** What the list of payments says, and payments on other pages. */
export const paymentsWords = {
  ...words,
  card: (brand: string, last4: string) => filled(words.card, { brand, last4 }),
  orderNamed: (amount: string) => filled(words.orderNamed, { amount }),
  checkoutNamed: (amount: string) => filled(words.checkoutNamed, { amount }),
  payment: {
    ...words.payment,
    title: (amount: string) => filled(words.payment.title, { amount }),
  },
}
