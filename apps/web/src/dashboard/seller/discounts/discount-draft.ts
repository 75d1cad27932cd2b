import type { BillingBody, Discount } from '@tollgate/contract/billing-types'
import { FieldErrors } from '../../parts/field-errors.ts'
import { entriesOf, type MetadataEntry, metadataOf } from '../../parts/metadata.ts'
import { amountField, amountIn, moneyText } from '../../parts/money.tsx'
import type { Picked } from '../../parts/picker.tsx'
import { discountsWords, discountWords } from './discounts.texts.ts'

export const types = ['percentage', 'fixed'] as const
export const durations = ['once', 'forever', 'repeating'] as const

/** A discount as its editor's field values. */
export type DiscountDraft = {
  readonly name: string
  readonly code: string
  readonly type: (typeof types)[number]
  readonly percent: string
  readonly amount: string
  readonly currency: string
  readonly duration: (typeof durations)[number]
  readonly months: string
  /** As fields for a time have it: without a zone, in the viewer's own. */
  readonly starts: string
  readonly ends: string
  readonly most: string
  readonly mostEach: string
  readonly products: readonly Picked[]
  readonly metadata: readonly MetadataEntry[]
}

export const newDiscount = (): DiscountDraft => ({
  name: '',
  code: '',
  type: 'percentage',
  percent: '',
  amount: '',
  currency: 'usd',
  duration: 'once',
  months: '',
  starts: '',
  ends: '',
  most: '',
  mostEach: '',
  products: [],
  metadata: [],
})

export const draftOf = (discount: Discount): DiscountDraft => ({
  name: discount.name,
  code: discount.code ?? '',
  type: discount.type,
  percent: discount.basisPoints === undefined ? '' : String(discount.basisPoints / 100),
  amount: amountField(discount.amount, discount.currency ?? 'usd'),
  currency: discount.currency ?? 'usd',
  duration: discount.duration,
  months: String(discount.durationInMonths ?? ''),
  starts: timeField(discount.startsAt),
  ends: timeField(discount.endsAt),
  most: String(discount.maxRedemptions ?? ''),
  mostEach: String(discount.maxRedemptionsPerCustomer ?? ''),
  products: discount.products.map(({ id, name }) => ({ id, name })),
  metadata: entriesOf(discount.metadata),
})

type Created = BillingBody<'createDiscount'>
type Changed = BillingBody<'updateDiscount'>

/** The request body that creates a discount. Throws FieldErrors with the server's field names. */
export function bodyOf(draft: DiscountDraft): Created {
  const { common, amount, basisPoints, months } = checked(draft)
  const worth =
    draft.type === 'fixed'
      ? { type: 'fixed' as const, amount, currency: draft.currency }
      : { type: 'percentage' as const, basisPoints }
  const lasts =
    draft.duration === 'repeating'
      ? { duration: 'repeating' as const, durationInMonths: months }
      : { duration: draft.duration }
  return { ...common, ...worth, ...lasts }
}

/** What is sent to change one: of what it is worth only what may still be changed (billing contract, DIS-1). */
export function changesOf(draft: DiscountDraft, discount: Discount): Changed {
  const { common, amount, basisPoints } = checked(draft)
  if (discount.redemptionsCount > 0) return common
  return { ...common, ...(draft.type === 'fixed' ? { amount, currency: draft.currency } : { basisPoints }) }
}

function checked(draft: DiscountDraft) {
  const errors = new Map<string, string>()
  const words = discountWords.errors
  const fixed = draft.type === 'fixed'
  const code = draft.code.trim()
  if (draft.name.trim() === '') errors.set('name', words.name)
  if (code !== '' && !/^[A-Za-z0-9]{3,256}$/.test(code)) errors.set('code', words.code)
  const amount = amountIn(draft.amount, draft.currency)
  // A percentage has two places behind its point, as dollars have.
  const basisPoints = amountIn(draft.percent, 'usd')
  if (fixed && amount === undefined) errors.set('amount', words.amount)
  if (!fixed && (basisPoints === undefined || basisPoints < 1 || basisPoints > 10_000))
    errors.set('basis_points', words.percent)
  const countOf = (text: string, field: string, message: string): number | null => {
    if (text.trim() === '') return null
    if (!/^[1-9]\d{0,8}$/.test(text.trim())) errors.set(field, message)
    return Number(text)
  }
  const months = countOf(draft.months, 'duration_in_months', words.months)
  if (draft.duration === 'repeating' && months === null) errors.set('duration_in_months', words.months)
  const startsAt = timeIn(draft.starts)
  const endsAt = timeIn(draft.ends)
  if (startsAt && endsAt && startsAt >= endsAt) errors.set('ends_at', words.order)
  const common = {
    name: draft.name.trim(),
    code: code || null,
    startsAt,
    endsAt,
    maxRedemptions: countOf(draft.most, 'max_redemptions', words.most),
    maxRedemptionsPerCustomer: countOf(draft.mostEach, 'max_redemptions_per_customer', words.most),
    products: draft.products.map(({ id }) => id),
    metadata: metadataOf(draft.metadata),
  }
  if (errors.size > 0) throw new FieldErrors(errors)
  return { common, amount: amount ?? 0, basisPoints: basisPoints ?? 0, months: months ?? 0 }
}

/** A moment as it stands in a field for one: in the viewer's zone, to the minute. */
export function timeField(at: string | null): string {
  if (at === null) return ''
  const time = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`
}

const timeIn = (text: string): string | null => (text === '' ? null : new Date(text).toISOString())

/** What it takes off, and for how long, in a few words. */
export function worthText({ type, amount, currency, basisPoints, duration, durationInMonths }: Discount): string {
  const off = type === 'fixed' ? moneyText(amount ?? 0, currency ?? 'usd') : `${(basisPoints ?? 0) / 100}%`
  const { worth } = discountsWords
  return duration === 'repeating' ? worth.repeating(off, durationInMonths ?? 0) : worth[duration](off)
}

/** Letters and digits that are not mistaken for each other when they are read aloud. */
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** An unguessable code: 10 of 31 letters are 49 bits. */
export function madeUpCode(): string {
  const bytes = crypto.getRandomValues(new Uint32Array(10))
  return [...bytes].map((value) => letters[value % letters.length]).join('')
}
