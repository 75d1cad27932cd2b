import { discountSchemas } from '@tollgate/contract/billing-schemas'
import { expect, test } from 'vitest'
import { contractBody, wholeIn, wirePath } from './contract-body.ts'

const { body: schema } = discountSchemas.createDiscount
const body = { name: 'Spring', type: 'percentage', basisPoints: 20_000, duration: 'once' } as const

test('a body that the contract takes comes back as it is', () => {
  const valid = { ...body, basisPoints: 2000 }

  expect(contractBody(schema, valid, {})).toBe(valid)
})

test('a refused member has the form’s own text, or else the server’s', () => {
  const messagesWith = (words: Record<string, string>) => () => contractBody(schema, body, words)
  const server = 'Input should be less than or equal to 10000'

  expect(messagesWith({})).toThrow(expect.objectContaining({ messages: new Map([['basis_points', server]]) }))
  expect(messagesWith({ basis_points: 'At most 100' })).toThrow(
    expect.objectContaining({ messages: new Map([['basis_points', 'At most 100']]) }),
  )
})

test('a path is in the wire’s spelling, except for keys that belong to the caller', () => {
  expect(wirePath(['prices', 0, 'priceAmount'])).toBe('prices.0.price_amount')
  expect(wirePath(['customFieldData', 'shoeSize'])).toBe('custom_field_data.shoeSize')
})

test.each([
  [' 12 ', 12],
  ['', null],
  ['1.5', Number.NaN],
  ['1e3', Number.NaN],
])('%j in a field for a whole number is %j', (text, value) => {
  expect(wholeIn(text)).toBe(value)
})
