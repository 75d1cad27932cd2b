import type { InputIssue } from '@tollgate/client'
import type { BillingBody, CheckoutPublic } from '@tollgate/contract/billing-types'
import { parseAmount } from './money.ts'

/** What the form of a checkout holds, and how it is said to the server and back. */

export type Changes = BillingBody<'updateClientCheckout'>

type Attached = CheckoutPublic['attachedCustomFields'][number]

/** The name of the control of a custom field. */
export const controlOf = ({ customField }: Attached): string => `field.${customField.slug}`

const addressFields = ['line1', 'line2', 'city', 'state', 'postalCode'] as const

/** The control that an issue is about, by where it is in the request. */
export function controlOfIssue({ loc }: InputIssue): string | undefined {
  const [, name, part] = loc.map(String)
  if (name === 'customer_billing_address') return part === 'postal_code' ? 'postalCode' : (part ?? 'country')
  if (name === 'custom_field_data') return `field.${part}`
  return controls[name ?? '']
}

const controls: Readonly<Record<string, string>> = {
  customer_email: 'email',
  customer_name: 'name',
  customer_billing_name: 'company',
  customer_tax_id: 'taxId',
  amount: 'amount',
  discount_code: 'discountCode',
  discount_id: 'discountCode',
  product_id: 'productId',
  product_price_id: 'productId',
  products: 'productId',
  confirmation_token_id: 'cardNumber',
  number: 'cardNumber',
  expiry: 'cardExpiry',
  cvc: 'cardCode',
}

/** The member of a request that an issue is about, in our spelling. */
export const memberOfIssue = ({ loc }: InputIssue): string =>
  String(loc[1] ?? '').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * What of some changes is sent again, without what was refused of them; nothing where nothing is left. A tax number that is
 * wrong takes the one before away: no total must be shown that counts on it.
 */
export function withoutRefused(changes: Changes, refused: ReadonlySet<string>): Changes | undefined {
  const rest = Object.fromEntries(Object.entries(changes).filter(([member]) => !refused.has(member))) as Changes
  const left = refused.has('customerTaxId') && changes.customerTaxId != null ? { ...rest, customerTaxId: null } : rest
  const isAsBefore = Object.keys(rest).length === Object.keys(changes).length
  return isAsBefore || Object.keys(left).length === 0 ? undefined : left
}

const textIn = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
const orNull = (text: string): string | null => (text === '' ? null : text)

export const isBusiness = (form: FormData): boolean => form.has('isBusinessCustomer')

/** Everything that the buyer has filled in, the amount included; what has no field is not said. */
export function buyerIn(form: FormData, checkout: CheckoutPublic, locale = 'en'): Changes {
  const amount = amountIn(form, checkout, locale)
  return {
    // Where it is the one that is known, what is asked for is that nobody has changed it since.
    ...(amount !== undefined && amount !== checkout.amount && { amount }),
    // The address of a customer who is known already is theirs to change, not this form's.
    ...(checkout.customerId === null && { customerEmail: orNull(textIn(form, 'email')) }),
    ...(form.has('name') && { customerName: orNull(textIn(form, 'name')) }),
    ...(needsAddress(checkout) && { isBusinessCustomer: isBusiness(form) }),
    ...(form.has('company') && { customerBillingName: orNull(textIn(form, 'company')) }),
    ...(form.has('taxId') && { customerTaxId: orNull(textIn(form, 'taxId')) }),
    ...addressIn(form),
    ...(checkout.attachedCustomFields.length > 0 && { customFieldData: answersIn(form, checkout) }),
  }
}

/** The amount in its field, in minor units; nothing where there is no field, or no amount in it. */
export const amountIn = (form: FormData, { currency }: CheckoutPublic, locale: string): number | undefined =>
  form.has('amount') ? parseAmount(textIn(form, 'amount'), currency, locale) : undefined

/**
 * The whole address, because it is replaced as a whole; nothing before there is a country. A state goes with its country:
 * the field still holds the one before when another country is chosen.
 */
export function addressIn(form: FormData): Pick<Changes, 'customerBillingAddress'> {
  const country = textIn(form, 'country')
  if (country === '') return {}
  const partIn = (name: string) => {
    const text = textIn(form, name)
    return name === 'state' && !text.startsWith(`${country}-`) ? null : orNull(text)
  }
  const parts = addressFields.filter((name) => form.has(name)).map((name) => [name, partIn(name)])
  return { customerBillingAddress: { ...Object.fromEntries(parts), country } }
}

/** The answers to custom fields, by their slugs; what is left empty, or is wrong, is left out. */
export function answersIn(form: FormData, checkout: CheckoutPublic): NonNullable<Changes['customFieldData']> {
  const answers: Record<string, string | number | boolean> = {}
  for (const attached of checkout.attachedCustomFields) {
    if (problemOfAnswer(form, attached)) continue
    const { type, slug } = attached.customField
    const control = controlOf(attached)
    if (type === 'checkbox') answers[slug] = form.has(control)
    else {
      const text = textIn(form, control)
      if (text !== '') answers[slug] = type === 'number' ? Number(text) : text
    }
  }
  return answers
}

/** What is wrong with a field: a text of `billingErrors` and what stands in its places. */
export type Problem = {
  readonly text:
    | 'required'
    | 'choose'
    | 'tick'
    | 'emailInvalid'
    | 'amountInvalid'
    | 'amountTooSmall'
    | 'amountTooLarge'
    | 'wholeNumber'
    | 'numberTooSmall'
    | 'numberTooLarge'
    | 'dateTooEarly'
    | 'dateTooLate'
    | 'textTooShort'
    | 'textTooLong'
  readonly count?: number
  /** A number as it is, or a day as `2026-03-01`. */
  readonly min?: number | string
  readonly max?: number | string
  /** Where the limits are amounts: minor units of this. */
  readonly currency?: string
}

/**
 * What is missing or wrong before anything is sent, by control (CHK-10, CHK-20). The server checks the same and more; this
 * spares the buyer the wait.
 */
export function problemsIn(form: FormData, checkout: CheckoutPublic, locale = 'en'): Record<string, Problem> {
  const found: Record<string, Problem> = {}
  const amount = problemOfAmount(form, checkout, locale)
  if (amount) found.amount = amount
  const want = (name: string, text: Problem['text'] = 'required') => {
    if (form.has(name) && textIn(form, name) === '') found[name] = { text }
  }
  if (checkout.customerId === null) {
    const email = textIn(form, 'email')
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) found.email = { text: email === '' ? 'required' : 'emailInvalid' }
  }
  if (checkout.isPaymentFormRequired) {
    want('name')
    for (const name of ['cardNumber', 'cardExpiry', 'cardCode']) want(name)
  }
  if (isBusiness(form)) want('company')
  const { country, state, city, postalCode, line1 } = checkout.customerBillingAddressFields
  if (needsAddress(checkout)) {
    if (country) want('country', 'choose')
    if (line1) want('line1')
    if (city) want('city')
    if (state) want('state', 'choose')
    if (postalCode) want('postalCode')
  }
  for (const attached of checkout.attachedCustomFields) {
    const problem = problemOfAnswer(form, attached)
    if (problem) found[controlOf(attached)] = problem
  }
  return found
}

/** What is in the field is what is paid: without an amount, or with one that the seller does not take, nothing is. */
function problemOfAmount(form: FormData, checkout: CheckoutPublic, locale: string): Problem | undefined {
  const { productPrice: price, currency } = checkout
  if (price.amountType !== 'custom' || !form.has('amount')) return undefined
  const amount = amountIn(form, checkout, locale)
  if (amount === undefined) return { text: 'amountInvalid', currency }
  const { minimumAmount: min, maximumAmount: max } = price
  if (min !== null && amount < min) return { text: 'amountTooSmall', min, currency }
  return max !== null && amount > max ? { text: 'amountTooLarge', max, currency } : undefined
}

/** Whether the address is asked for: what is free and bought by a person needs none. */
export const needsAddress = (checkout: CheckoutPublic): boolean =>
  checkout.isPaymentFormRequired || checkout.requireBillingAddress || checkout.isBusinessCustomer

function problemOfAnswer(form: FormData, attached: Attached): Problem | undefined {
  const { customField: field, required } = attached
  const control = controlOf(attached)
  if (field.type === 'checkbox') return required && !form.has(control) ? { text: 'tick' } : undefined
  const text = textIn(form, control)
  if (text === '') return required ? { text: field.type === 'select' ? 'choose' : 'required' } : undefined
  switch (field.type) {
    case 'text': {
      const { minLength, maxLength } = field.properties
      const length = [...text].length
      if (minLength !== undefined && length < minLength) return { text: 'textTooShort', count: minLength }
      return maxLength !== undefined && length > maxLength ? { text: 'textTooLong', count: maxLength } : undefined
    }
    case 'number': {
      const { ge, le } = field.properties
      if (!/^-?\d{1,15}$/.test(text)) return { text: 'wholeNumber' }
      if (ge !== undefined && Number(text) < ge) return { text: 'numberTooSmall', min: ge }
      return le !== undefined && Number(text) > le ? { text: 'numberTooLarge', max: le } : undefined
    }
    case 'date': {
      const { ge, le } = field.properties
      if (ge !== undefined && text < dayOf(ge)) return { text: 'dateTooEarly', min: dayOf(ge) }
      return le !== undefined && text > dayOf(le) ? { text: 'dateTooLate', max: dayOf(le) } : undefined
    }
    default:
      return undefined
  }
}

/** The limits of dates are seconds since 1970, as on the wire. */
export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)
