import type { Discount } from '@tollgate/contract/billing-types'
import { expect, test } from 'vitest'
import { FieldErrors } from '../../parts/field-errors.ts'
import { bodyOf, changesOf, type DiscountDraft, draftOf, madeUpCode, newDiscount, timeField } from './discount-draft.ts'
import { worthText } from './discount-worth.ts'

const draft = (rest: Partial<DiscountDraft>): DiscountDraft => ({
  ...newDiscount(),
  name: 'Spring',
  basisPoints: '20',
  ...rest,
})

const discount: Discount = {
  id: 'd',
  createdAt: '2026-03-01T12:00:00.000Z',
  modifiedAt: null,
  name: 'Spring',
  code: 'SPRING',
  type: 'percentage',
  basisPoints: 1250,
  duration: 'repeating',
  durationInMonths: 3,
  startsAt: null,
  endsAt: '2026-04-01T10:30:00.000Z',
  maxRedemptions: 100,
  maxRedemptionsPerCustomer: null,
  redemptionsCount: 0,
  organizationId: 'o',
  metadata: {},
  products: [],
}

test('a percentage is sent in hundredths of a percent, a fixed amount in minor units', () => {
  expect(bodyOf(draft({ basisPoints: '12.5' }))).toMatchObject({
    type: 'percentage',
    basisPoints: 1250,
    duration: 'once',
  })
  expect(bodyOf(draft({ type: 'fixed', amount: '5', currency: 'eur' }))).toMatchObject({
    type: 'fixed',
    amount: 500,
    currency: 'eur',
  })
})

test('what is left empty is no limit', () => {
  expect(bodyOf(draft({}))).toMatchObject({
    code: null,
    startsAt: null,
    endsAt: null,
    maxRedemptions: null,
    maxRedemptionsPerCustomer: null,
    products: [],
  })
})

test.each<[string, Partial<DiscountDraft>, string]>([
  ['no name', { name: ' ' }, 'name'],
  ['a code with a blank', { code: 'TWO WORDS' }, 'code'],
  ['a code that is too short', { code: 'AB' }, 'code'],
  ['nothing off', { basisPoints: '0' }, 'basis_points'],
  ['more than everything off', { basisPoints: '100.01' }, 'basis_points'],
  ['a third place of a percentage', { basisPoints: '12.345' }, 'basis_points'],
  ['no amount', { type: 'fixed' }, 'amount'],
  ['no months', { duration: 'repeating' }, 'duration_in_months'],
  ['no redemptions', { maxRedemptions: '0' }, 'max_redemptions'],
  ['half a redemption', { maxRedemptionsPerCustomer: '1.5' }, 'max_redemptions_per_customer'],
  ['an end before the beginning', { startsAt: '2026-03-02T00:00', endsAt: '2026-03-01T00:00' }, 'ends_at'],
])('%s is refused at its field', (_, rest, field) => {
  expect(() => bodyOf(draft(rest))).toThrow(
    expect.objectContaining({ messages: new Map([[field, expect.any(String)]]) }),
  )
  expect(() => bodyOf(draft(rest))).toThrow(FieldErrors)
})

test('what is wrong with several fields is said of all at once', () => {
  const wrong = draft({ name: '', code: '?', startsAt: '2026-03-02T00:00', endsAt: '2026-03-01T00:00' })

  expect(() => bodyOf(wrong)).toThrow(
    expect.objectContaining({
      messages: new Map(['name', 'code', 'ends_at'].map((field) => [field, expect.any(String)])),
    }),
  )
})

test('a discount that nobody has changed is sent as it was', () => {
  expect(changesOf(draftOf(discount), discount)).toEqual({
    name: 'Spring',
    code: 'SPRING',
    startsAt: null,
    endsAt: '2026-04-01T10:30:00.000Z',
    maxRedemptions: 100,
    maxRedemptionsPerCustomer: null,
    products: [],
    metadata: {},
    basisPoints: 1250,
  })
})

test('what one is worth is not sent again once somebody has redeemed it', () => {
  expect(changesOf(draftOf(discount), { ...discount, redemptionsCount: 1 })).not.toHaveProperty('basisPoints')
})

test('a moment stands in its field in the viewer’s own zone', () => {
  const moment = new Date(2026, 2, 4, 5, 6)

  expect(timeField(moment.toISOString())).toBe('2026-03-04T05:06')
  expect(timeField(null)).toBe('')
})

test.each<[Partial<Discount>, string]>([
  [{}, '12.5% off, for 3 months'],
  [{ durationInMonths: 1 }, '12.5% off, for a month'],
  [{ type: 'fixed', amount: 500, currency: 'eur', duration: 'once' }, '€5.00 off, once'],
  [{ duration: 'forever' }, '12.5% off, forever'],
])('%o is told as %s', (rest, text) => {
  expect(worthText({ ...discount, ...rest })).toBe(text)
})

test('a code that is made up is one that the server takes, and another one each time', () => {
  expect(madeUpCode()).toMatch(/^[A-Z2-9]{10}$/)
  expect(madeUpCode()).not.toBe(madeUpCode())
})
