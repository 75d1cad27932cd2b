import type { Meter } from '@tollgate/contract/billing-types'
import { expect, test } from 'vitest'
import { FieldErrors } from '../../parts/field-errors.ts'
import { bodyOf, type ClauseDraft, draftOf, type MeterDraft, newClause, newGroup, newMeter } from './meter-draft.ts'

const clause = (rest: Partial<ClauseDraft>): ClauseDraft => ({ ...newClause('name'), value: 'call', ...rest })
const draft = (rest: Partial<MeterDraft>): MeterDraft => ({
  ...newMeter(),
  name: 'API calls',
  filter: newGroup([clause({})]),
  ...rest,
})

const meter: Meter = {
  id: 'm',
  createdAt: '2026-03-01T12:00:00.000Z',
  modifiedAt: null,
  name: 'API calls',
  organizationId: 'o',
  metadata: {},
  archivedAt: null,
  aggregation: { func: 'sum', property: 'tokens' },
  filter: {
    conjunction: 'and',
    clauses: [
      { property: 'name', operator: 'eq', value: 'call' },
      {
        conjunction: 'or',
        clauses: [
          { property: 'tokens', operator: 'gte', value: 10.5 },
          { property: 'cached', operator: 'ne', value: true },
        ],
      },
    ],
  },
}

test('a meter that nobody has changed is sent as it was, groups, numbers and flags included', () => {
  const { name, filter, aggregation, metadata } = meter

  expect(bodyOf(draftOf(meter))).toEqual({ name, filter, aggregation, metadata })
})

test('a meter may count every event', () => {
  expect(bodyOf(draft({ filter: newGroup([]) }))).toMatchObject({
    filter: { conjunction: 'and', clauses: [] },
    aggregation: { func: 'count' },
  })
})

test.each<[string, Partial<MeterDraft>, string]>([
  ['a short name', { name: 'AP' }, 'name'],
  ['a sum of nothing', { func: 'sum' }, 'aggregation.property'],
  ['a condition without a property', { filter: newGroup([clause({ property: ' ' })]) }, 'filter.clauses.0.property'],
  ['a condition without a value', { filter: newGroup([clause({ value: '' })]) }, 'filter.clauses.0.value'],
  [
    'letters for a number, in a group',
    { filter: newGroup([clause({}), newGroup([clause({ kind: 'number', value: 'x' })])]) },
    'filter.clauses.1.clauses.0.value',
  ],
  ['an empty group', { filter: newGroup([newGroup([])]) }, 'filter.clauses.0.clauses'],
])('%s is refused at its field', (_, rest, field) => {
  expect(() => bodyOf(draft(rest))).toThrow(FieldErrors)
  expect(() => bodyOf(draft(rest))).toThrow(
    expect.objectContaining({ messages: new Map([[field, expect.any(String)]]) }),
  )
})
