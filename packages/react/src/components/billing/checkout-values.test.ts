import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import { describe, expect, test } from 'vitest'
import {
  addressIn,
  answersIn,
  buyerIn,
  controlOfIssue,
  dayOf,
  isReplacedIn,
  memberOfIssue,
  problemsIn,
  withoutRefused,
} from './checkout-values.ts'

type Field = CheckoutPublic['attachedCustomFields'][number]['customField']

const noAddress = { country: true, state: false, city: false, postalCode: false, line1: false, line2: false }

/** As much of a checkout as the form of one looks at. */
const checkout = (rest: Partial<CheckoutPublic> = {}, fields: readonly [object, boolean][] = []) =>
  ({
    customerId: null,
    isPaymentFormRequired: true,
    requireBillingAddress: false,
    isBusinessCustomer: false,
    customerBillingAddressFields: noAddress,
    productPrice: { amountType: 'fixed' },
    currency: 'usd',
    attachedCustomFields: fields.map(([field, required]) => ({ customField: { properties: {}, ...field }, required })),
    ...rest,
  }) as CheckoutPublic

const filled = (values: Readonly<Record<string, string>>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.set(name, value)
  return form
}
const usual = {
  email: ' ada@example.com ',
  name: 'Ada',
  country: 'DE',
  cardNumber: '4242',
  cardExpiry: '12/49',
  cardCode: '123',
}

test.each([
  ['amount', { amount: 60_000 }, { amount: '3.999' }, true],
  ['amount', { amount: 60_000 }, { amount: '600' }, false],
  ['customerEmail', { customerEmail: 'a@b.c' }, { email: 'ada@b.c' }, true],
  ['customerEmail', { customerEmail: 'a@b.c' }, { email: ' a@b.c ' }, false],
  ['customerTaxId', { customerTaxId: 'DE1' }, { taxId: '' }, true],
  ['discountCode', { discountCode: 'X' }, { email: '' }, false],
])('%s sent as %j is replaced where the form holds %j: %s', (member, sent, form, isReplaced) => {
  expect(isReplacedIn(filled(form), member, sent, checkout(), 'en')).toBe(isReplaced)
})

describe('an amount of the buyer’s own', () => {
  const donation = checkout({
    productPrice: { amountType: 'custom', minimumAmount: 100, maximumAmount: 50_000 } as CheckoutPublic['productPrice'],
  })

  test.each([
    ['', 'amountInvalid', undefined],
    ['abc', 'amountInvalid', undefined],
    ['3.999', 'amountInvalid', undefined],
    ['0.5', 'amountTooSmall', undefined],
    ['600', 'amountTooLarge', undefined],
    ['12.50', undefined, 1250],
    ['500', undefined, 50_000],
  ])('typed as %j stops the payment (%s), or is sent with it: %s', (amount, problem, sent) => {
    const form = filled({ ...usual, amount })

    expect(problemsIn(form, donation).amount?.text).toBe(problem)
    if (problem === undefined) expect(buyerIn(form, donation)).toMatchObject({ amount: sent })
  })

  test('is sent only where it differs from the known one: otherwise a concurrent change is reported', () => {
    expect(buyerIn(filled({ ...usual, amount: '12.50' }), { ...donation, amount: 1250 })).not.toHaveProperty('amount')
  })

  test('is required only where the buyer chooses the price', () => {
    expect(problemsIn(filled(usual), checkout())).toEqual({})
    expect(buyerIn(filled(usual), checkout())).not.toHaveProperty('amount')
  })
})

describe('missing or wrong fields, before a request is sent', () => {
  test('is nothing where everything is filled in', () => {
    expect(problemsIn(filled(usual), checkout())).toEqual({})
  })

  test.each([
    [{ email: '' }, {}, { email: { text: 'required' } }],
    [{ email: 'ada@' }, {}, { email: { text: 'emailInvalid' } }],
    [{ email: '' }, { customerId: 'known' }, {}],
    [{ name: ' ' }, {}, { name: { text: 'required' } }],
    [{ name: '' }, { isPaymentFormRequired: false }, {}],
    [{ cardNumber: '' }, {}, { cardNumber: { text: 'required' } }],
    [{ country: '' }, {}, { country: { text: 'choose' } }],
    [{ country: '' }, { isPaymentFormRequired: false }, {}],
    [{ isBusinessCustomer: 'on', company: '' }, {}, { company: { text: 'required' } }],
    [
      { country: 'US', line1: '', city: '', state: '', postalCode: '' },
      {
        customerBillingAddressFields: { ...noAddress, line1: true, city: true, state: true, postalCode: true },
      },
      {
        line1: { text: 'required' },
        city: { text: 'required' },
        state: { text: 'choose' },
        postalCode: { text: 'required' },
      },
    ],
  ])('%j of %j', (values, about, problems) => {
    expect(problemsIn(filled({ ...usual, ...values }), checkout(about))).toEqual(problems)
  })

  test.each<[Pick<Field, 'type'> & { properties?: object }, boolean, string, object | undefined]>([
    [{ type: 'text' }, true, '', { text: 'required' }],
    [{ type: 'text' }, false, '', undefined],
    [{ type: 'text', properties: { minLength: 3 } }, false, 'ab', { text: 'textTooShort', count: 3 }],
    [{ type: 'text', properties: { maxLength: 3 } }, false, 'abcd', { text: 'textTooLong', count: 3 }],
    [{ type: 'text', properties: { maxLength: 2 } }, false, '👩👩', undefined],
    [{ type: 'number' }, false, '1.5', { text: 'wholeNumber' }],
    [{ type: 'number', properties: { ge: 1 } }, false, '0', { text: 'numberTooSmall', min: 1 }],
    [{ type: 'number', properties: { le: 40 } }, false, '41', { text: 'numberTooLarge', max: 40 }],
    [{ type: 'number', properties: { ge: -5, le: 5 } }, true, '-5', undefined],
    [
      { type: 'date', properties: { ge: 1_772_323_200 } },
      false,
      '2026-02-28',
      { text: 'dateTooEarly', min: '2026-03-01' },
    ],
    [
      { type: 'date', properties: { le: 1_772_323_200 } },
      false,
      '2026-03-02',
      { text: 'dateTooLate', max: '2026-03-01' },
    ],
    [{ type: 'date', properties: { ge: 1_772_323_200 } }, true, '2026-03-01', undefined],
    [{ type: 'select' }, true, '', { text: 'choose' }],
    [{ type: 'select' }, true, 'trd', undefined],
  ])('the answer to %j (required: %s) of %j', (field, required, answer, problem) => {
    const asked = checkout({}, [[{ ...field, slug: 'it' }, required]])
    const found = problemsIn(filled({ ...usual, 'field.it': answer }), asked)

    expect(found['field.it']).toEqual(problem)
  })

  test('a box that has to be ticked', () => {
    const asked = checkout({}, [[{ type: 'checkbox', slug: 'terms' }, true]])

    expect(problemsIn(filled(usual), asked)).toEqual({ 'field.terms': { text: 'tick' } })
    expect(problemsIn(filled({ ...usual, 'field.terms': 'on' }), asked)).toEqual({})
  })
})

test('the answer gives the buyer as they filled in the form, and omits data without a field', () => {
  expect(buyerIn(filled(usual), checkout())).toEqual({
    customerEmail: 'ada@example.com',
    customerName: 'Ada',
    isBusinessCustomer: false,
    customerBillingAddress: { country: 'DE' },
  })
  expect(buyerIn(filled({ email: 'ada@example.com' }), checkout({ customerId: 'known' }))).toEqual({
    isBusinessCustomer: false,
  })
  expect(buyerIn(filled({ email: 'a@b.c', name: '' }), checkout({ isPaymentFormRequired: false }))).toEqual({
    customerEmail: 'a@b.c',
    customerName: null,
  })
})

test.each([
  ['US', 'US-NY', 'US-NY'],
  ['FR', 'US-NY', null],
  ['CA', 'US-NY', null],
  ['US', '', null],
])('in the country %s the state %j is sent as %s', (country, state, sent) => {
  const { customerBillingAddress } = addressIn(filled({ country, city: 'Here', state }))

  expect(customerBillingAddress).toEqual({ country, city: 'Here', state: sent })
})

test.each([
  [{ customerName: 'Ada', amount: 1 }, ['amount'], { customerName: 'Ada' }],
  [{ amount: 1 }, ['amount'], undefined],
  [{ customerName: 'Ada' }, ['productId'], undefined],
  [{ customerTaxId: 'DE1' }, ['customerTaxId'], { customerTaxId: null }],
  [{ customerTaxId: null }, ['customerTaxId'], undefined],
])('of %j, where %j was refused, %j is sent again', (changes, refused, rest) => {
  expect(withoutRefused(changes, new Set(refused))).toEqual(rest)
})

test('answers have the type of their field; empty or wrong ones are left out', () => {
  const asked = checkout({}, [
    [{ type: 'text', slug: 'vessel' }, true],
    [{ type: 'number', slug: 'crew' }, false],
    [{ type: 'number', slug: 'masts' }, false],
    [{ type: 'checkbox', slug: 'terms' }, false],
    [{ type: 'date', slug: 'day' }, false],
  ])
  const form = filled({ 'field.vessel': ' Aurora ', 'field.crew': '12', 'field.masts': 'two', 'field.day': '' })

  expect(answersIn(form, asked)).toEqual({ vessel: 'Aurora', crew: 12, terms: false })
})

test.each([
  [['body', 'customer_email'], 'email', 'customerEmail'],
  [['body', 'customer_billing_address', 'postal_code'], 'postalCode', 'customerBillingAddress'],
  [['body', 'customer_billing_address', 'line1'], 'line1', 'customerBillingAddress'],
  [['body', 'customer_billing_address'], 'country', 'customerBillingAddress'],
  [['body', 'custom_field_data', 'home_port'], 'field.home_port', 'customFieldData'],
  [['body', 'discount_code'], 'discountCode', 'discountCode'],
  [['body', 'confirmation_token_id'], 'cardNumber', 'confirmationTokenId'],
  [['body', 'cvc'], 'cardCode', 'cvc'],
  [['body', 'something_new'], undefined, 'somethingNew'],
])('an issue at %j belongs to %s', (loc, control, member) => {
  const issue = { loc, msg: '', type: '' }

  expect(controlOfIssue(issue)).toBe(control)
  expect(memberOfIssue(issue)).toBe(member)
})

test('the limit of a date is a day', () => {
  expect(dayOf(0)).toBe('1970-01-01')
  expect(dayOf(1_772_323_199)).toBe('2026-02-28')
})
