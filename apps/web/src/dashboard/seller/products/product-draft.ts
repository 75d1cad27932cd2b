import { placesOf } from '@tollgate/contract/billing'
import type { BillingBody, Product, ProductPrice, TaxBehavior } from '@tollgate/contract/billing-types'
import { FieldErrors } from '../../parts/field-errors.ts'
import { entriesOf, type MetadataEntry, metadataOf } from '../../parts/metadata.ts'
import { amountField, amountIn, moneyText } from '../../parts/money.tsx'
import { productWords } from './products.texts.ts'

/** Least and most of a price in minor units, and most of what a buyer may choose (billing contract, section 2, Products). */
export const priceLimits = { least: 50, most: 99_999_999, mostChosen: 1_000_000 }

export const intervals = ['one_time', 'month', 'year'] as const
export type Interval = (typeof intervals)[number]

/** The price that everybody pays; `none` where only usage is paid. There is at most one. */
export const kinds = ['fixed', 'custom', 'free', 'none'] as const
export type Kind = (typeof kinds)[number]

/** A price by usage, as its fields hold it. */
export type UsageDraft = {
  /** Keeps the line apart from the others; of a price that is there, its id. */
  readonly id: string
  readonly meterId: string
  readonly unitAmount: string
  readonly cap: string
}

/** A feature, as its field holds it; the id keeps the line apart from the others. */
export type FeatureDraft = { readonly id: string; readonly text: string }

let added = 0
/** A line that is not saved yet. */
export function newFeature(): FeatureDraft {
  added += 1
  return { id: `new-${added}`, text: '' }
}

export type Media = { readonly id: string; readonly name: string; readonly publicUrl: string }
export type Attached = { readonly id: string; readonly name: string; readonly required: boolean }

/** A product as its editor's field values. */
export type ProductDraft = {
  readonly name: string
  readonly description: string
  readonly interval: Interval
  readonly currency: string
  readonly kind: Kind
  readonly amount: string
  readonly minimum: string
  readonly maximum: string
  readonly preset: string
  readonly usage: readonly UsageDraft[]
  /** Whether the prices contain their tax; `usual` follows the organization's default. */
  readonly taxBehavior: TaxBehavior | 'usual'
  /** Sold without tax wherever the buyer is. */
  readonly isTaxExempt: boolean
  readonly features: readonly FeatureDraft[]
  /** The pricing page calls it the most popular. */
  readonly isHighlighted: boolean
  readonly medias: readonly Media[]
  readonly fields: readonly Attached[]
  readonly metadata: readonly MetadataEntry[]
}

export const newProduct = (): ProductDraft => ({
  name: '',
  description: '',
  interval: 'month',
  currency: 'usd',
  kind: 'fixed',
  amount: '',
  minimum: '',
  maximum: '',
  preset: '',
  usage: [],
  taxBehavior: 'usual',
  isTaxExempt: false,
  features: [],
  isHighlighted: false,
  medias: [],
  fields: [],
  metadata: [],
})

/** The fields of a product that is there. */
export function draftOf(product: Product): ProductDraft {
  const { prices } = product
  const fixed = prices.find(({ amountType }) => amountType !== 'metered_unit')
  const currency = prices.map((price) => ('priceCurrency' in price ? price.priceCurrency : '')).find(Boolean) ?? 'usd'
  return {
    ...newProduct(),
    name: product.name,
    description: product.description ?? '',
    interval: product.recurringInterval ?? 'one_time',
    currency,
    kind: fixed === undefined || fixed.amountType === 'metered_unit' ? 'none' : fixed.amountType,
    ...(fixed?.amountType === 'fixed' && { amount: amountField(fixed.priceAmount, currency) }),
    ...(fixed?.amountType === 'custom' && {
      minimum: amountField(fixed.minimumAmount, currency),
      maximum: amountField(fixed.maximumAmount, currency),
      preset: amountField(fixed.presetAmount, currency),
    }),
    usage: prices.flatMap((price) => (price.amountType === 'metered_unit' ? [usageOf(price, currency)] : [])),
    taxBehavior: prices.find(({ amountType }) => amountType !== 'free')?.taxBehavior ?? 'exclusive',
    isTaxExempt: product.isTaxExempt,
    // The same ids each time: a draft without changes equals another.
    features: product.features.map((text, index) => ({ id: String(index), text })),
    isHighlighted: product.isHighlighted,
    medias: product.medias,
    fields: product.attachedCustomFields.map(({ customFieldId, customField, required }) => ({
      id: customFieldId,
      name: customField.name,
      required,
    })),
    metadata: entriesOf(product.metadata),
  }
}

const usageOf = (
  { id, meterId, unitAmount, capAmount }: Extract<ProductPrice, { amountType: 'metered_unit' }>,
  currency: string,
): UsageDraft => ({
  id,
  meterId,
  unitAmount: unitField(unitAmount, currency),
  cap: amountField(capAmount, currency),
})

type Prices = BillingBody<'createProduct'>['prices']

/** The request body that creates a product. Throws FieldErrors with the server's field names. */
export function bodyOf(draft: ProductDraft): BillingBody<'createProduct'> {
  const errors = new Map<string, string>()
  if (draft.name.trim().length < 3) errors.set('name', productWords.errors.name)
  const prices = pricesOf(draft, errors)
  if (errors.size > 0) throw new FieldErrors(errors)
  return {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    recurringInterval: draft.interval === 'one_time' ? null : draft.interval,
    prices,
    ...restOf(draft),
  }
}

type Changes = NonNullable<BillingBody<'updateProduct'>>

/** What is sent to change a product: of its prices those that are as they were are kept, and the others made anew. */
export function changesOf(draft: ProductDraft, product: Product): Changes {
  const { name, description, prices } = bodyOf(draft)
  const known = inOrderOfDraft(product.prices)
  const before = pricesOf(draftOf(product), new Map())
  const sent = prices.map((price) => {
    const index = before.findIndex((each) => JSON.stringify(each) === JSON.stringify(price))
    const kept = index < 0 ? undefined : known[index]
    return kept ? { id: kept.id } : price
  })
  return { name, description, prices: sent, ...restOf(draft) }
}

/** As a draft has them: what everybody pays, then what is paid by usage. */
const inOrderOfDraft = (prices: readonly ProductPrice[]): readonly ProductPrice[] => [
  ...prices.filter(({ amountType }) => amountType !== 'metered_unit'),
  ...prices.filter(({ amountType }) => amountType === 'metered_unit'),
]

const restOf = ({ isTaxExempt, features, isHighlighted, medias, fields, metadata }: ProductDraft) => ({
  isTaxExempt,
  // An empty line is one that was not used.
  features: features.map(({ text }) => text.trim()).filter(Boolean),
  isHighlighted,
  medias: medias.map(({ id }) => id),
  attachedCustomFields: fields.map(({ id, required }) => ({ customFieldId: id, required })),
  metadata: metadataOf(metadata),
})

/** How many of the prices stand before those by usage: errors of the server name prices by their place. */
export const usageStart = ({ kind }: ProductDraft): number => (kind === 'none' ? 0 : 1)

/** The prices that the fields mean; what is wrong with them is written into `errors`. */
function pricesOf(draft: ProductDraft, errors: Map<string, string>): Prices {
  const { kind, currency, interval } = draft
  const words = productWords.errors
  const amountOf = (text: string, field: string, least: number, most: number): number | null => {
    const amount = amountIn(text, currency)
    if (amount === undefined) errors.set(field, words.amount)
    else if (amount < least || amount > most)
      errors.set(field, words.between(moneyText(least, currency), moneyText(most, currency)))
    return amount ?? null
  }
  const optional = (text: string, field: string, least: number, most: number) =>
    text.trim() === '' ? null : amountOf(text, field, least, most)

  const { least, most, mostChosen } = priceLimits
  const tax = draft.taxBehavior === 'usual' ? {} : { taxBehavior: draft.taxBehavior }
  const prices: Prices = []
  if (kind === 'free') prices.push({ amountType: 'free' })
  if (kind === 'fixed') {
    const priceAmount = amountOf(draft.amount, 'prices.0.price_amount', least, most) ?? 0
    prices.push({ amountType: 'fixed', priceAmount, priceCurrency: currency, ...tax })
  }
  if (kind === 'custom') {
    const minimumAmount = optional(draft.minimum, 'prices.0.minimum_amount', least, most)
    const maximumAmount = optional(draft.maximum, 'prices.0.maximum_amount', least, mostChosen)
    const presetAmount = optional(draft.preset, 'prices.0.preset_amount', least, mostChosen)
    if (minimumAmount !== null && maximumAmount !== null && maximumAmount < minimumAmount)
      errors.set('prices.0.maximum_amount', words.order)
    prices.push({ amountType: 'custom', priceCurrency: currency, minimumAmount, maximumAmount, presetAmount, ...tax })
  }
  for (const [index, { meterId, unitAmount, cap }] of interval === 'one_time' ? [] : draft.usage.entries()) {
    const place = `prices.${usageStart(draft) + index}`
    const unit = unitIn(unitAmount, currency)
    if (meterId === '') errors.set(`${place}.meter_id`, words.meter)
    else if (draft.usage.findIndex((each) => each.meterId === meterId) < index)
      errors.set(`${place}.meter_id`, words.twice)
    if (unit === undefined) errors.set(`${place}.unit_amount`, words.unit)
    const capAmount = optional(cap, `${place}.cap_amount`, 0, Number.MAX_SAFE_INTEGER)
    prices.push({
      amountType: 'metered_unit',
      priceCurrency: currency,
      meterId,
      unitAmount: unit ?? '',
      capAmount,
      ...tax,
    })
  }
  if (prices.length === 0) errors.set('prices', words.none)
  return prices
}

/** What a unit costs, as it stands in a field: "0.5" cents are "0.005" dollars. Moves the point, so that no place is lost. */
export function unitField(unitAmount: string, currency: string): string {
  const places = placesOf(currency)
  const [whole = '', decimals = ''] = unitAmount.split('.')
  const digits = whole.padStart(places + 1, '0')
  const cut = digits.length - places
  return trimmed(digits.slice(0, cut), digits.slice(cut) + decimals)
}

/** The minor units of one unit, as the decimal text that the server wants; undefined for what is none above zero. */
export function unitIn(text: string, currency: string): string | undefined {
  const places = placesOf(currency)
  const [, whole = '', decimals = ''] = /^(\d{1,14})(?:\.(\d*))?$/.exec(text.trim()) ?? []
  if (whole === '' || decimals.length > places + 12) return undefined
  const shifted = decimals.padEnd(places, '0')
  const unit = trimmed(whole + shifted.slice(0, places), shifted.slice(places))
  return Number(unit) > 0 ? unit : undefined
}

function trimmed(whole: string, decimals: string): string {
  const left = whole.replace(/^0+(?=\d)/, '')
  const right = decimals.replace(/0+$/, '')
  return right === '' ? left : `${left}.${right}`
}
