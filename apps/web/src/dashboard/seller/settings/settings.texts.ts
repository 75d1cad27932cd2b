import { filled, translated } from '../../language.ts'
import english from '../locales/settings/en.json' with { type: 'json' }

const words = translated?.seller.settings ?? english

/** The texts of the pages of settings. */
export const settingsWords = {
  ...words,
  subscriptions: {
    ...words.subscriptions,
    graceDays: (days: number) => filled(words.subscriptions.graceDays, { days }),
  },
  socials: {
    ...words.socials,
    platform: (index: number) => filled(words.socials.platform, { index }),
    url: (index: number) => filled(words.socials.url, { index }),
    remove: (index: number) => filled(words.socials.remove, { index }),
  },
}
