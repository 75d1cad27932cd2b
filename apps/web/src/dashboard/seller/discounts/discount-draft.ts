import { discountSchemas } from '@tollgate/contract/billing-schemas'
import type { BillingBody, Discount } from '@tollgate/contract/billing-types'
import { contractBody, wholeIn } from '../../parts/contract-body.ts'
import { entriesOf, type MetadataEntry, metadataOf } from '../../parts/metadata.ts'
import { amountField, amountIn } from '../../parts/money.tsx'
import type { Picked } from '../../parts/picker.tsx'
import { discountWords } from './discounts.texts.ts'

export const types = ['percentage', 'fixed'] as const
export const durations = ['once', 'forever', 'repeating'] as const

/** A discount as its editor's field values. */
export type DiscountDraft = {
  readonly name: string
  readonly code: string
  readonly type: (typeof types)[number]
  readonly basisPoints: string
  readonly amount: string
  readonly currency: string
  readonly duration: (typeof durations)[number]
  readonly durationInMonths: string
  /** As fields for a time have it: without a zone, in the viewer's own. */
  readonly startsAt: string
  readonly endsAt: string
  readonly maxRedemptions: string
  readonly maxRedemptionsPerCustomer: string
  readonly products: readonly Picked[]
  readonly metadata: readonly MetadataEntry[]
}

export const newDiscount = (): DiscountDraft => ({
  name: '',
  code: '',
  type: 'percentage',
  basisPoints: '',
  amount: '',
  currency: 'usd',
  duration: 'once',
  durationInMonths: '',
  startsAt: '',
  endsAt: '',
  maxRedemptions: '',
  maxRedemptionsPerCustomer: '',
  products: [],
  metadata: [],
})

export const draftOf = (discount: Discount): DiscountDraft => ({
  name: discount.name,
  code: discount.code ?? '',
  type: discount.type,
  basisPoints: discount.basisPoints === undefined ? '' : String(discount.basisPoints / 100),
  amount: amountField(discount.amount, discount.currency ?? 'usd'),
  currency: discount.currency ?? 'usd',
  duration: discount.duration,
  durationInMonths: String(discount.durationInMonths ?? ''),
  startsAt: timeField(discount.startsAt),
  endsAt: timeField(discount.endsAt),
  maxRedemptions: String(discount.maxRedemptions ?? ''),
  maxRedemptionsPerCustomer: String(discount.maxRedemptionsPerCustomer ?? ''),
  products: discount.products.map(({ id, name }) => ({ id, name })),
  metadata: entriesOf(discount.metadata),
})

type Created = BillingBody<'createDiscount'>
type Changed = BillingBody<'updateDiscount'>

/** The request body that creates a discount. Throws FieldErrors with the server's field names. */
export function bodyOf(draft: DiscountDraft): Created {
  const worth =
    draft.type === 'fixed'
      ? { type: 'fixed' as const, ...amountOf(draft) }
      : { type: 'percentage' as const, ...percentOf(draft) }
  const lasts =
    draft.duration === 'repeating'
      ? { duration: 'repeating' as const, durationInMonths: wholeIn(draft.durationInMonths) ?? Number.NaN }
      : { duration: draft.duration }
  return contractBody<Created>(discountSchemas.createDiscount.body, { ...commonOf(draft), ...worth, ...lasts }, words)
}

/** What is sent to change one: of what it is worth only what may still be changed (billing contract, DIS-1). */
export function changesOf(draft: DiscountDraft, discount: Discount): Changed {
  const worth = draft.type === 'fixed' ? amountOf(draft) : percentOf(draft)
  const body = { ...commonOf(draft), ...(discount.redemptionsCount === 0 && worth) }
  return contractBody<Changed>(discountSchemas.updateDiscount.body, body, words)
}

const { name, code, amount, percent, months, most, order } = discountWords.errors
const words = {
  name,
  code,
  amount,
  basis_points: percent,
  duration_in_months: months,
  max_redemptions: most,
  max_redemptions_per_customer: most,
  ends_at: order,
}

function commonOf(draft: DiscountDraft) {
  return {
    name: draft.name.trim(),
    code: draft.code.trim() || null,
    startsAt: timeIn(draft.startsAt),
    endsAt: timeIn(draft.endsAt),
    maxRedemptions: wholeIn(draft.maxRedemptions),
    maxRedemptionsPerCustomer: wholeIn(draft.maxRedemptionsPerCustomer),
    products: draft.products.map(({ id }) => id),
    metadata: metadataOf(draft.metadata),
  }
}

const amountOf = ({ amount, currency }: DiscountDraft) => ({
  amount: amountIn(amount, currency) ?? Number.NaN,
  currency,
})
// A percentage has two decimals, as dollars have.
const percentOf = ({ basisPoints }: DiscountDraft) => ({ basisPoints: amountIn(basisPoints, 'usd') ?? Number.NaN })

/** A moment as it stands in a field for one: in the viewer's zone, to the minute. */
export function timeField(at: string | null): string {
  if (at === null) return ''
  const time = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`
}

const timeIn = (text: string): string | null => (text === '' ? null : new Date(text).toISOString())

/** Letters and digits that are not mistaken for each other when they are read aloud. */
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** An unguessable code: 10 of 31 letters are 49 bits. */
export function madeUpCode(): string {
  const bytes = crypto.getRandomValues(new Uint32Array(10))
  return [...bytes].map((value) => letters[value % letters.length]).join('')
}
