import { filled, translated } from '../language.ts'
import english from './locales/en.json' with { type: 'json' }

const words = translated?.overview ?? english

/** What the overview says. */
export const overviewWords = {
  ...words,
  first: {
    ...words.first,
    text: (done: number, of: number) => filled(words.first.text, { done, of }),
  },
  endpoint: {
    ...words.endpoint,
    failing: (name: string) => filled(words.endpoint.failing, { name }),
    off: (name: string) => filled(words.endpoint.off, { name }),
    showNamed: (name: string) => filled(words.endpoint.showNamed, { name }),
  },
  joy: {
    ...words.joy,
    text: (customer: string, product: string, amount: string) => filled(words.joy.text, { customer, product, amount }),
  },
  period: {
    ...words.period,
    compared: (range: string, before: string, zone: string) => filled(words.period.compared, { range, before, zone }),
  },
  show: (figure: string, list: string) => filled(words.show, { figure, list }),
  revenueIn: (currency: string) => filled(words.revenueIn, { currency: currency.toUpperCase() }),
  change: {
    ...words.change,
    from: (before: string) => filled(words.change.from, { before }),
    none: (before: string) => filled(words.change.none, { before }),
  },
  chart: {
    ...words.chart,
    name: (figure: string, range: string) => filled(words.chart.name, { figure, range }),
    point: (when: string, value: string) => filled(words.chart.point, { when, value }),
    total: (value: string) => filled(words.chart.total, { value }),
    end: (value: string) => filled(words.chart.end, { value }),
  },
}
