import { filled, translated } from '../../language.ts'
import english from '../locales/subscriptions/en.json' with { type: 'json' }

const words = translated?.seller.subscriptions ?? english

/** The texts of the pages of subscriptions. */
export const subscriptionsWords = {
  ...words,
  revenue: {
    ...words.revenue,
    from: (count: number) => filled(words.revenue.from, { count }),
  },
  missed: {
    ...words.missed,
    text: (count: number) => filled(words.missed.text, { count }),
    charged: (count: number, total: string) => filled(words.missed.charged, { count, total }),
  },
  creation: {
    ...words.creation,
    card: (brand: string, last4: string) => filled(words.creation.card, { brand, last4 }),
  },
  pending: {
    ...words.pending,
    text: (product: string, when: string) => filled(words.pending.text, { product, when }),
    quantity: (count: number, when: string) => filled(words.pending.quantity, { count, when }),
  },
  schedule: {
    ...words.schedule,
    state: (state: 'over' | 'running' | 'planned', when: string) =>
      state === 'over'
        ? words.schedule.states.over
        : filled(state === 'running' ? words.schedule.since : words.schedule.states.planned, { when }),
    periods: (count: number) => filled(words.schedule.periods, { count }),
    until: (when: string) => filled(words.schedule.until, { when }),
  },
  pause: {
    ...words.pause,
    state: (when: string, end: string | null) =>
      end === null ? filled(words.pause.state, { when }) : filled(words.pause.stateUntil, { when, end }),
    coming: (end: string | null) => (end === null ? words.pause.coming : filled(words.pause.comingUntil, { end })),
  },
  coming: {
    next: (price: string) => filled(words.coming.next, { price }),
    after: (count: number, price: string) => filled(words.coming.after, { count, price }),
  },
  subscription: {
    ...words.subscription,
    title: (customer: string, product: string) => filled(words.subscription.title, { customer, product }),
    ending: (when: string) => filled(words.subscription.ending, { when }),
    ended: (when: string) => filled(words.subscription.ended, { when }),
    reason: (reason: string) => filled(words.subscription.reason, { reason }),
    collection: {
      ...words.subscription.collection,
      terms: (days: number) => filled(words.subscription.collection.terms, { count: days }),
    },
    prices: {
      ...words.subscription.prices,
      metered: (meter: string) => filled(words.subscription.prices.metered, { meter }),
      cap: (amount: string) => filled(words.subscription.prices.cap, { amount }),
    },
    discount: {
      ...words.subscription.discount,
      repeating: (months: number) => filled(words.subscription.discount.repeating, { count: months }),
    },
  },
}
