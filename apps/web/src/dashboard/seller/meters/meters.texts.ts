import { filled, translated } from '../../language.ts'
import english from '../locales/meters/en.json' with { type: 'json' }

const words = translated?.seller.meters ?? english

/** The texts of the pages of meters. */
export const metersWords = {
  ...words.meters,
  countsOf: (how: string, property: string) => filled(words.meters.countsOf, { how, property }),
}

export const meterWords = {
  ...words.meter,
  created: (name: string) => filled(words.meter.created, { name }),
  saved: (name: string) => filled(words.meter.saved, { name }),
  conjunction: (where: string) => filled(words.meter.conjunction, { where }),
  inGroup: (path: string) => filled(words.meter.inGroup, { path }),
  property: (path: string) => filled(words.meter.property, { path }),
  operator: (path: string) => filled(words.meter.operator, { path }),
  value: (path: string) => filled(words.meter.value, { path }),
  valueKind: (path: string) => filled(words.meter.valueKind, { path }),
  group: (path: string) => filled(words.meter.group, { path }),
  addTo: (what: string, where: string) => filled(words.meter.addTo, { what, where }),
  removeClause: (path: string) => filled(words.meter.removeClause, { path }),
  removeGroup: (path: string) => filled(words.meter.removeGroup, { path }),
}
