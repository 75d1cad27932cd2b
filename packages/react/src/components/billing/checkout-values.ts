import type { InputIssue } from '@tollgate/client'
import type { BillingBody, CheckoutPublic } from '@tollgate/contract/billing-types'
import { parseAmount } from './money.ts'

/** The values of a checkout's form, and their conversion to and from the server's shape. */

export type Changes = BillingBody<'updateClientCheckout'>

type Attached = CheckoutPublic['attachedCustomFields'][number]

/** The name of a custom field's control. */
export const controlOf = ({ customField }: Attached): string => `field.${customField.slug}`

const addressFields = ['line1', 'line2', 'city', 'state', 'postalCode'] as const

/** The control that an issue belongs to, by the issue's path. */
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
  currency: 'currency',
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

/** The member that an issue is about, in camelCase. */
export const memberOfIssue = ({ loc }: InputIssue): string =>
  String(loc[1] ?? '').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * The part of some changes to send again without the refused members; undefined if none is left. A wrong tax number
 * also clears the previous one, so that no total relies on it.
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

/** All values that the buyer entered, with the amount. Values without a field are left out. */
export function buyerIn(form: FormData, checkout: CheckoutPublic, locale = 'en'): Changes {
  const amount = amountIn(form, checkout, locale)
  return {
    // If the value is known already, the request checks that it has not changed.
    ...(amount !== undefined && amount !== checkout.amount && { amount }),
    // A known customer's address belongs to the customer, not to this form.
    ...(checkout.customerId === null && { customerEmail: orNull(textIn(form, 'email')) }),
    ...(form.has('name') && { customerName: orNull(textIn(form, 'name')) }),
    ...(needsAddress(checkout) && { isBusinessCustomer: isBusiness(form) }),
    ...(form.has('company') && { customerBillingName: orNull(textIn(form, 'company')) }),
    ...(form.has('taxId') && { customerTaxId: orNull(textIn(form, 'taxId')) }),
    ...addressIn(form),
    ...(checkout.attachedCustomFields.length > 0 && { customFieldData: answersIn(form, checkout) }),
  }
}

/** The amount in its field, in minor units; undefined without a field or an amount. */
export const amountIn = (form: FormData, { currency }: CheckoutPublic, locale: string): number | undefined =>
  form.has('amount') ? parseAmount(textIn(form, 'amount'), currency, locale) : undefined

/**
 * The whole address, because it is replaced as a whole; undefined without a country. A state belongs to its country:
 * after another country is chosen, the field still holds the old one.
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

/** Answers to custom fields by slug, without empty and invalid ones. */
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

/** Whether a control no longer holds the value that some changes sent for its member. */
export function isReplacedIn(
  form: FormData,
  member: string,
  sent: Changes,
  checkout: CheckoutPublic,
  locale: string,
): boolean {
  if (member === 'amount') return form.has('amount') && amountIn(form, checkout, locale) !== sent.amount
  const control = { customerEmail: 'email', customerTaxId: 'taxId', discountCode: 'discountCode' }[member]
  if (control === undefined || !form.has(control)) return false
  return orNull(textIn(form, control)) !== (sent[member as 'customerEmail' | 'customerTaxId' | 'discountCode'] ?? null)
}

/** An error of a field: a text of `billingErrors` and its placeholders. */
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
  /** A plain number, or a day as `2026-03-01`. */
  readonly min?: number | string
  readonly max?: number | string
  /** For limits that are amounts: their currency. */
  readonly currency?: string
}

/**
 * Missing and invalid values before anything is sent, by control (CHK-10, CHK-20). The server checks the same and
 * more; this saves the buyer a round trip.
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
    Object.assign(found, missingIn(form))
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

/** The empty fields of the card form; processors check their own. */
export const missingIn = (form: FormData): Record<string, Problem> =>
  Object.fromEntries(
    ['cardNumber', 'cardExpiry', 'cardCode']
      .filter((name) => form.has(name) && textIn(form, name) === '')
      .map((name) => [name, { text: 'required' }]),
  )

/** The buyer pays the amount in the field. Without a valid one, no payment starts. */
function problemOfAmount(form: FormData, checkout: CheckoutPublic, locale: string): Problem | undefined {
  const { productPrice: price, currency } = checkout
  if (price.amountType !== 'custom' || !form.has('amount')) return undefined
  const amount = amountIn(form, checkout, locale)
  if (amount === undefined) return { text: 'amountInvalid', currency }
  const { minimumAmount: min, maximumAmount: max } = price
  if (min !== null && amount < min) return { text: 'amountTooSmall', min, currency }
  return max !== null && amount > max ? { text: 'amountTooLarge', max, currency } : undefined
}

/** Whether the form asks for an address: a free purchase by a person needs none. */
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

/** Date limits are seconds since 1970, as on the wire. */
export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)
