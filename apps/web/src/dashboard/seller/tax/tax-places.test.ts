import { expect, test } from 'vitest'
import { placeName } from './tax-places.ts'

test.each([
  ['DE', null, 'Germany'],
  ['US', 'US-NY', 'New York, United States'],
  ['CA', 'CA-ON', 'Ontario, Canada'],
  ['US', 'US-XX', 'US-XX, United States'],
])('%s with the state %s is called %s', (country, state, name) => {
  expect(placeName(country, state)).toBe(name)
})
