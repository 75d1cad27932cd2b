import { currencyCodes, placesOf } from '@tollgate/contract/billing'
import type { BillingBody, Product, ProductPrice, TaxBehavior } from '@tollgate/contract/billing-types'
import { FieldErrors } from '../../parts/field-errors.ts'
import { entriesOf, type MetadataEntry, metadataOf } from '../../parts/metadata.ts'
import { amountField, amountIn, moneyText } from '../../parts/money.tsx'
import { productWords } from './products.texts.ts'
import { noTrial, problemOfTrial, type TrialDraft, trialBodyOf, trialDraftOf } from './trial-draft.ts'

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

/** What one price of a currency costs, as the fields hold it. */
type AmountsDraft = {
  readonly currency: string
  readonly amount: string
  readonly minimum: string
  readonly maximum: string
  readonly preset: string
  /** Whether the prices contain their tax; `usual` follows the organization's default. */
  readonly taxBehavior: TaxBehavior | 'usual'
}

/** The same prices in a further currency. */
export type CurrencyDraft = AmountsDraft & {
  /** Keeps the currency's fields apart from the others. */
  readonly id: string
  /** The amounts of the prices by usage, by the ids of their lines. */
  readonly usage: Readonly<Record<string, UsageAmounts>>
}
export type UsageAmounts = Pick<UsageDraft, 'unitAmount' | 'cap'>

/** A feature, as its field holds it; the id keeps the line apart from the others. */
export type FeatureDraft = { readonly id: string; readonly text: string }

let added = 0
/** A further currency, the first that is not there yet. */
export function newCurrency({ currency, currencies, taxBehavior }: ProductDraft): CurrencyDraft {
  const used = [currency, ...currencies.map((each) => each.currency)]
  added += 1
  return {
    ...noAmounts,
    id: `new-${added}`,
    currency: firstCurrencies.find((code) => !used.includes(code)) ?? 'usd',
    taxBehavior,
    usage: {},
  }
}

/** A line that is not saved yet. */
export function newFeature(): FeatureDraft {
  added += 1
  return { id: `new-${added}`, text: '' }
}

export type Media = { readonly id: string; readonly name: string; readonly publicUrl: string }
export type Attached = { readonly id: string; readonly name: string; readonly required: boolean }

/** A product as its editor's field values. */
export type ProductDraft = AmountsDraft & {
  readonly name: string
  readonly description: string
  readonly interval: Interval
  readonly kind: Kind
  readonly usage: readonly UsageDraft[]
  /** The currencies beside the default one. */
  readonly currencies: readonly CurrencyDraft[]
  /** Sold without tax wherever the buyer is. */
  readonly isTaxExempt: boolean
  readonly features: readonly FeatureDraft[]
  /** The pricing page calls it the most popular. */
  readonly isHighlighted: boolean
  readonly trial: TrialDraft
  readonly medias: readonly Media[]
  readonly fields: readonly Attached[]
  readonly metadata: readonly MetadataEntry[]
}

/** The most currencies of a product, its default one included. */
export const mostCurrencies = 20

const firstCurrencies = ['usd', 'eur', 'gbp', ...currencyCodes]
const noAmounts = { amount: '', minimum: '', maximum: '', preset: '' }

export const newProduct = (): ProductDraft => ({
  name: '',
  description: '',
  interval: 'month',
  currency: 'usd',
  kind: 'fixed',
  ...noAmounts,
  usage: [],
  currencies: [],
  taxBehavior: 'usual',
  isTaxExempt: false,
  features: [],
  isHighlighted: false,
  trial: noTrial,
  medias: [],
  fields: [],
  metadata: [],
})

/** The fields of a product that is there. */
export function draftOf(product: Product): ProductDraft {
  const [first = { currency: 'usd', prices: [] }, ...others] = setsOf(product.prices)
  const { prices, currency } = first
  const fixed = prices.find(({ amountType }) => amountType !== 'metered_unit')
  const usage = prices.flatMap((price) => (price.amountType === 'metered_unit' ? [usageOf(price, currency)] : []))
  return {
    ...newProduct(),
    name: product.name,
    description: product.description ?? '',
    interval: product.recurringInterval ?? 'one_time',
    kind: fixed === undefined || fixed.amountType === 'metered_unit' ? 'none' : fixed.amountType,
    ...amountsOf(first),
    usage,
    currencies: others.map((set) => ({
      ...amountsOf(set),
      id: set.currency,
      usage: Object.fromEntries(
        usage.flatMap(({ id, meterId }) => {
          const price = set.prices.find((each) => each.amountType === 'metered_unit' && each.meterId === meterId)
          return price?.amountType === 'metered_unit' ? [[id, usageOf(price, set.currency)]] : []
        }),
      ),
    })),
    isTaxExempt: product.isTaxExempt,
    // The same ids each time: a draft without changes equals another.
    features: product.features.map((text, index) => ({ id: String(index), text })),
    isHighlighted: product.isHighlighted,
    trial: trialDraftOf(product),
    medias: product.medias,
    fields: product.attachedCustomFields.map(({ customFieldId, customField, required }) => ({
      id: customFieldId,
      name: customField.name,
      required,
    })),
    metadata: entriesOf(product.metadata),
  }
}

/** A product's prices in one currency, in the order of a draft: what everybody pays, then what is paid by usage. */
type PriceSet = { readonly currency: string; readonly prices: readonly ProductPrice[] }

/** The prices of each currency, the default one first. A price that is free has none and counts in the first. */
function setsOf(prices: readonly ProductPrice[]): readonly PriceSet[] {
  const codes = new Set(prices.flatMap((price) => ('priceCurrency' in price ? [price.priceCurrency] : [])))
  if (codes.size === 0) return [{ currency: 'usd', prices }]
  const sets = [...codes].map((currency, index) => {
    const own = prices.filter((price) => ('priceCurrency' in price ? price.priceCurrency === currency : index === 0))
    return { currency, prices: inOrderOfDraft(own) }
  })
  const meters = sets[0]?.prices.map(meterOf) ?? []
  const place = (price: ProductPrice) => meters.indexOf(meterOf(price))
  return sets.map((set) => ({ ...set, prices: set.prices.toSorted((one, other) => place(one) - place(other)) }))
}

const meterOf = (price: ProductPrice): string => (price.amountType === 'metered_unit' ? price.meterId : '')

/** What everybody pays in a currency, as the fields hold it. */
function amountsOf({ currency, prices }: PriceSet): AmountsDraft {
  const fixed = prices.find(({ amountType }) => amountType !== 'metered_unit')
  return {
    ...noAmounts,
    currency,
    ...(fixed?.amountType === 'fixed' && { amount: amountField(fixed.priceAmount, currency) }),
    ...(fixed?.amountType === 'custom' && {
      minimum: amountField(fixed.minimumAmount, currency),
      maximum: amountField(fixed.maximumAmount, currency),
      preset: amountField(fixed.presetAmount, currency),
    }),
    taxBehavior: prices.find(({ amountType }) => amountType !== 'free')?.taxBehavior ?? 'exclusive',
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
  const isOnce = draft.interval === 'one_time'
  const trialProblem = isOnce ? undefined : problemOfTrial(draft.trial)
  if (trialProblem !== undefined) errors.set('trial_interval_count', trialProblem)
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
  const known = setsOf(product.prices).flatMap((set) => set.prices)
  const before = pricesOf(draftOf(product), new Map())
  const sent = prices.map((price) => {
    const index = before.findIndex((each) => JSON.stringify(each) === JSON.stringify(price))
    const kept = index < 0 ? undefined : known[index]
    return kept ? { id: kept.id } : price
  })
  return { name, description, prices: sent, ...restOf(draft) }
}

const inOrderOfDraft = (prices: readonly ProductPrice[]): readonly ProductPrice[] => [
  ...prices.filter(({ amountType }) => amountType !== 'metered_unit'),
  ...prices.filter(({ amountType }) => amountType === 'metered_unit'),
]

const restOf = ({ interval, isTaxExempt, features, isHighlighted, trial, medias, fields, metadata }: ProductDraft) => ({
  isTaxExempt,
  // An empty line is one that was not used.
  features: features.map(({ text }) => text.trim()).filter(Boolean),
  isHighlighted,
  ...(interval !== 'one_time' && trialBodyOf(trial)),
  medias: medias.map(({ id }) => id),
  attachedCustomFields: fields.map(({ id, required }) => ({ customFieldId: id, required })),
  metadata: metadataOf(metadata),
})

/** How many of a currency's prices stand before those by usage: errors of the server name prices by their place. */
export const usageStart = ({ kind }: ProductDraft): number => (kind === 'none' ? 0 : 1)

/** Whether the product can have prices in further currencies: one that costs nothing has none. */
export const hasCurrencies = ({ kind, interval, usage }: ProductDraft): boolean =>
  kind === 'fixed' || kind === 'custom' || (interval !== 'one_time' && usage.length > 0)

/** The place of the first price of a further currency. */
export function currencyStart(draft: ProductDraft, index: number): number {
  const usage = draft.interval === 'one_time' ? 0 : draft.usage.length
  const own = draft.kind === 'fixed' || draft.kind === 'custom' ? 1 : 0
  return usageStart(draft) + usage + index * (own + usage)
}

/** The prices that the fields mean; what is wrong with them is written into `errors`. */
function pricesOf(draft: ProductDraft, errors: Map<string, string>): Prices {
  const usage = draft.interval === 'one_time' ? [] : draft.usage
  const prices = pricesIn({ ...draft, usage }, 0, errors)
  if (prices.length === 0) errors.set('prices', productWords.errors.none)
  for (const [index, other] of (hasCurrencies(draft) ? draft.currencies : []).entries()) {
    const start = currencyStart(draft, index)
    const earlier = [draft, ...draft.currencies.slice(0, index)]
    if (earlier.some(({ currency }) => currency === other.currency))
      errors.set(`prices.${start}.price_currency`, productWords.errors.currencyTwice)
    const amounts = usage.map((line) => ({ ...line, ...(other.usage[line.id] ?? { unitAmount: '', cap: '' }) }))
    const kind = draft.kind === 'free' ? 'none' : draft.kind
    prices.push(...pricesIn({ ...other, kind, usage: amounts }, start, errors))
  }
  return prices
}

type SetDraft = AmountsDraft & Pick<ProductDraft, 'kind' | 'usage'>

/** The prices of one currency, the first of them at the place `start`. */
function pricesIn(draft: SetDraft, start: number, errors: Map<string, string>): Prices {
  const { kind, currency } = draft
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
    const priceAmount = amountOf(draft.amount, `prices.${start}.price_amount`, least, most) ?? 0
    prices.push({ amountType: 'fixed', priceAmount, priceCurrency: currency, ...tax })
  }
  if (kind === 'custom') {
    const minimumAmount = optional(draft.minimum, `prices.${start}.minimum_amount`, least, most)
    const maximumAmount = optional(draft.maximum, `prices.${start}.maximum_amount`, least, mostChosen)
    const presetAmount = optional(draft.preset, `prices.${start}.preset_amount`, least, mostChosen)
    if (minimumAmount !== null && maximumAmount !== null && maximumAmount < minimumAmount)
      errors.set(`prices.${start}.maximum_amount`, words.order)
    prices.push({ amountType: 'custom', priceCurrency: currency, minimumAmount, maximumAmount, presetAmount, ...tax })
  }
  for (const [index, { meterId, unitAmount, cap }] of draft.usage.entries()) {
    const place = `prices.${start + prices.length}`
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
