import { filled, number, translated } from '../../language.ts'
import english from '../locales/discounts/en.json' with { type: 'json' }

const words = translated?.seller.discounts ?? english

/** The texts of the pages of discounts. */
export const discountsWords = {
  ...words.discounts,
  bulk: {
    ...words.discounts.bulk,
    remove: (count: number) => filled(words.discounts.bulk.remove, { count }),
    removed: (count: number) => filled(words.discounts.bulk.removed, { count }),
  },
  redeemedOf: (count: number, most: number | null) =>
    most === null ? number.format(count) : filled(words.discounts.redeemedOf, { count, most }),
  worth: {
    ...words.discounts.worth,
    once: (off: string) => filled(words.discounts.worth.once, { off }),
    forever: (off: string) => filled(words.discounts.worth.forever, { off }),
    repeating: (off: string, count: number) => filled(words.discounts.worth.repeating, { off, count }),
  },
}

export const discountWords = {
  ...words.discount,
  created: (name: string) => filled(words.discount.created, { name }),
  saved: (name: string) => filled(words.discount.saved, { name }),
  remove: {
    ...words.discount.remove,
    title: (name: string) => filled(words.discount.remove.title, { name }),
    done: (name: string) => filled(words.discount.remove.done, { name }),
  },
}
