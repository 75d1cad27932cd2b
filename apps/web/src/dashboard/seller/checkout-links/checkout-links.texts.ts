import { filled, translated } from '../../language.ts'
import english from '../locales/checkout-links/en.json' with { type: 'json' }

const words = translated?.seller.checkoutLinks ?? english

/** The texts of the pages of checkout links. */
export const checkoutLinksWords = {
  ...words.checkoutLinks,
  bulk: {
    ...words.checkoutLinks.bulk,
    remove: (count: number) => filled(words.checkoutLinks.bulk.remove, { count }),
    removed: (count: number) => filled(words.checkoutLinks.bulk.removed, { count }),
  },
}

export const checkoutLinkWords = {
  ...words.checkoutLink,
  created: () => words.checkoutLink.created,
  saved: () => words.checkoutLink.saved,
  remove: {
    ...words.checkoutLink.remove,
    title: (name: string) => filled(words.checkoutLink.remove.title, { name }),
    done: (name: string) => filled(words.checkoutLink.remove.done, { name }),
  },
}
