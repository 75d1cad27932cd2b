import { filled, translated } from '../../language.ts'
import english from '../locales/products/en.json' with { type: 'json' }

const words = translated?.seller.products ?? english

/** The texts of the pages of products. */
export const productsWords = {
  ...words.products,
  bulk: {
    ...words.products.bulk,
    archive: (count: number) => filled(words.products.bulk.archive, { count }),
    archived: (count: number) => filled(words.products.bulk.archived, { count }),
    restore: (count: number) => filled(words.products.bulk.restore, { count }),
    restored: (count: number) => filled(words.products.bulk.restored, { count }),
  },
  furtherPrices: (count: number) => filled(words.products.furtherPrices, { count }),
  furtherCurrencies: (count: number) => filled(words.products.furtherCurrencies, { count }),
}

export const productWords = {
  ...words.product,
  created: (name: string) => filled(words.product.created, { name }),
  saved: (name: string) => filled(words.product.saved, { name }),
  rules: {
    ...words.product.rules,
    fixed: (least: string, most: string) => filled(words.product.rules.fixed, { least, most }),
    custom: (least: string, most: string) => filled(words.product.rules.custom, { least, most }),
  },
  priceChange: {
    ...words.product.priceChange,
    subscribers: (count: number) => filled(words.product.priceChange.subscribers, { count }),
    sum: (before: string, after: string) => filled(words.product.priceChange.sum, { before, after }),
    progress: (all: number, told: number, changed: number) =>
      filled(words.product.priceChange.progress, { all: String(all), told: String(told), changed: String(changed) }),
  },
  meter: (index: number) => filled(words.product.meter, { index }),
  unitAmount: (index: number) => filled(words.product.unitAmount, { index }),
  cap: (index: number) => filled(words.product.cap, { index }),
  removeUsage: (index: number) => filled(words.product.removeUsage, { index }),
  currencies: {
    ...words.product.currencies,
    amount: (field: string, currency: string) => filled(words.product.currencies.amount, { field, currency }),
    one: (currency: string) => filled(words.product.currencies.one, { currency }),
    remove: (currency: string) => filled(words.product.currencies.remove, { currency }),
  },
  errors: {
    ...words.product.errors,
    between: (least: string, most: string) => filled(words.product.errors.between, { least, most }),
  },
  features: {
    ...words.product.features,
    feature: (place: number) => filled(words.product.features.feature, { place }),
    remove: (name: string) => filled(words.product.features.remove, { name }),
  },
  medias: {
    ...words.product.medias,
    remove: (name: string) => filled(words.product.medias.remove, { name }),
    tooLarge: (name: string) => filled(words.product.medias.tooLarge, { name }),
    wrongKind: (name: string) => filled(words.product.medias.wrongKind, { name }),
    added: (name: string) => filled(words.product.medias.added, { name }),
  },
  fields: {
    ...words.product.fields,
    required: (name: string) => filled(words.product.fields.required, { name }),
  },
  archive: {
    ...words.product.archive,
    title: (name: string) => filled(words.product.archive.title, { name }),
    subscribers: (count: number) => filled(words.product.archive.subscribers, { count }),
    done: (name: string) => filled(words.product.archive.done, { name }),
    restored: (name: string) => filled(words.product.archive.restored, { name }),
  },
}

/** A price in a few words. */
export const priceWords = {
  ...words.price,
  from: (amount: string) => filled(words.price.from, { amount }),
  each: (amount: string, unit: string) => filled(words.price.each, { amount, unit }),
}

/** The buttons that share a product. */
export const shareWords = {
  ...words.share,
  notCopied: (url: string) => filled(words.share.notCopied, { url }),
}
