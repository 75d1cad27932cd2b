import { filled, translated } from '../../language.ts'
import english from '../locales/tax/en.json' with { type: 'json' }

const words = translated?.seller.tax ?? english

/** The texts of the pages of tax settings. */
export const taxWords = {
  ...words,
  places: {
    ...words.places,
    country: (index: number) => filled(words.places.country, { index }),
    state: (index: number) => filled(words.places.state, { index }),
    percent: (index: number) => filled(words.places.percent, { index }),
    usual: (percent: string) => filled(words.places.usual, { percent }),
    rate: (place: string, percent: string) => filled(words.places.rate, { place, percent }),
    remove: (index: number) => filled(words.places.remove, { index }),
  },
  table: {
    ...words.table,
    show: (count: number) => filled(words.table.show, { count }),
  },
}
