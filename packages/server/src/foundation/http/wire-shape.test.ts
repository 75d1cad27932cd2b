import { mapKeys } from '@tollgate/contract/billing'
import { billingSchemas, type Endpoint } from '@tollgate/contract/billing-schemas'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fromWire, mapNames, poisonedMaps, toWire, wirePath } from './wire-shape.ts'

const schema = z.object({
  ownKeys: z.record(z.string(), z.string()).optional(),
  pricesById: z.record(z.string(), z.array(z.object({ unitAmount: z.int() }))),
  oneOf: z.union([z.object({ firstName: z.string() }), z.object({ labels: z.record(z.string(), z.string()) })]),
  lastLine: z.preprocess((value) => value, z.string().nullish()).default(null),
})

const ours = {
  ownKeys: { someKey: 'x', other_key: 'y' },
  pricesById: { 'aB-1': [{ unitAmount: 1 }] },
  oneOf: { firstName: 'Ada', labels: { myLabel: 'z' } },
  lastLine: null,
}
const wire = {
  own_keys: { someKey: 'x', other_key: 'y' },
  prices_by_id: { 'aB-1': [{ unit_amount: 1 }] },
  one_of: { first_name: 'Ada', labels: { myLabel: 'z' } },
  last_line: null,
}

test('names are spelled by schema: keys of a map stay as they are, at any depth', () => {
  expect(toWire(ours, schema)).toEqual(wire)
  expect(fromWire(wire, schema)).toEqual(ours)
})

test('names that no schema has are spelled alike; those in another spelling are dropped', () => {
  expect(toWire({ addedLater: { innerName: 1 } }, schema)).toEqual({ added_later: { inner_name: 1 } })
  expect(fromWire({ added_later: 1, ownKeys: {}, ['__proto__']: 1 }, schema)).toEqual({ addedLater: 1 })
})

test('a place in an input is named as the wire spells it', () => {
  expect(wirePath(['ownKeys', 'someKey'], schema)).toEqual(['own_keys', 'someKey'])
  expect(wirePath(['pricesById', 'aB-1', 0, 'unitAmount'], schema)).toEqual(['prices_by_id', 'aB-1', 0, 'unit_amount'])
})

test('a map with the key __proto__ is found', () => {
  expect(poisonedMaps({ ownKeys: JSON.parse('{"__proto__":"x"}'), lastLine: {} }, schema)).toEqual(['ownKeys'])
})

test('browsers, which have no schemas, leave the same maps alone', () => {
  const found = Object.values<Endpoint>(billingSchemas).flatMap(({ body, query, output }) =>
    [body, query, output].flatMap((each) => (each ? [...mapNames(each)] : [])),
  )

  // Currencies and ids have the same spelling on both sides.
  const alike = ['amounts', 'prices']
  expect([...new Set(found)].filter((name) => !alike.includes(name)).sort()).toEqual([...mapKeys].sort())
})
