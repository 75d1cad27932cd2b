import type { BillingBody, Meter } from '@tollgate/contract/billing-types'
import { FieldErrors } from '../../parts/field-errors.ts'
import { entriesOf, type kinds, type MetadataEntry, metadataOf } from '../../parts/metadata.ts'
import { meterWords } from './meters.texts.ts'

export const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'not_like'] as const
export type Operator = (typeof operators)[number]
export const funcs = ['count', 'sum', 'max', 'min', 'avg'] as const
export type Func = (typeof funcs)[number]

export type ClauseDraft = {
  readonly key: number
  readonly property: string
  readonly operator: Operator
  readonly kind: (typeof kinds)[number]
  readonly value: string
}
/** Conditions and further groups of them, in their order. */
export type GroupDraft = {
  readonly key: number
  readonly conjunction: 'and' | 'or'
  readonly clauses: readonly (ClauseDraft | GroupDraft)[]
}

export type MeterDraft = {
  readonly name: string
  readonly filter: GroupDraft
  readonly func: Func
  readonly property: string
  readonly metadata: readonly MetadataEntry[]
}

export const isGroup = (part: ClauseDraft | GroupDraft): part is GroupDraft => 'clauses' in part

let keys = 0
const nextKey = () => {
  keys += 1
  return keys
}
export const newClause = (property = ''): ClauseDraft => ({
  key: nextKey(),
  property,
  operator: 'eq',
  kind: 'text',
  value: '',
})
export const newGroup = (clauses: GroupDraft['clauses'] = [newClause()]): GroupDraft => ({
  key: nextKey(),
  conjunction: 'and',
  clauses,
})

/** Most meters count the events of one name. */
export const newMeter = (): MeterDraft => ({
  name: '',
  filter: newGroup([newClause('name')]),
  func: 'count',
  property: '',
  metadata: [],
})

type Filter = Meter['filter']
type Clause = Exclude<Filter['clauses'][number], Filter>

const isFilter = (part: Filter | Clause): part is Filter => 'clauses' in part

export const draftOf = ({ name, filter, aggregation, metadata }: Meter): MeterDraft => ({
  name,
  filter: groupOf(filter),
  func: aggregation.func,
  property: 'property' in aggregation ? aggregation.property : '',
  metadata: entriesOf(metadata),
})

const groupOf = ({ conjunction, clauses }: Filter): GroupDraft => ({
  key: nextKey(),
  conjunction,
  clauses: clauses.map((part) => (isFilter(part) ? groupOf(part) : clauseOf(part))),
})

const clauseOf = ({ property, operator, value }: Clause): ClauseDraft => ({
  key: nextKey(),
  property,
  operator,
  kind: typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'flag' : 'text',
  value: String(value),
})

/** The request body. Throws FieldErrors with the server's field names. */
export function bodyOf({ name, filter, func, property, metadata }: MeterDraft): BillingBody<'createMeter'> {
  const errors = new Map<string, string>()
  const words = meterWords.errors
  if (name.trim().length < 3) errors.set('name', words.name)
  if (func !== 'count' && property.trim() === '') errors.set('aggregation.property', words.property)
  const body = {
    name: name.trim(),
    filter: filterOf(filter, 'filter', errors),
    aggregation: func === 'count' ? { func } : { func, property: property.trim() },
    metadata: metadataOf(metadata),
  }
  if (errors.size > 0) throw new FieldErrors(errors)
  return body
}

function filterOf({ conjunction, clauses }: GroupDraft, path: string, errors: Map<string, string>): Filter {
  // Of all events together nothing has to hold; within it an empty group is a slip.
  if (clauses.length === 0 && path !== 'filter') errors.set(`${path}.clauses`, meterWords.errors.group)
  return {
    conjunction,
    clauses: clauses.map((part, index) => {
      const place = `${path}.clauses.${index}`
      return isGroup(part) ? filterOf(part, place, errors) : conditionOf(part, place, errors)
    }),
  }
}

function conditionOf(clause: ClauseDraft, path: string, errors: Map<string, string>): Clause {
  const words = meterWords.errors
  const { operator, kind } = clause
  const property = clause.property.trim()
  const number = Number(clause.value)
  if (property === '') errors.set(`${path}.property`, words.property)
  if (kind !== 'flag' && clause.value.trim() === '') errors.set(`${path}.value`, words.value)
  else if (kind === 'number' && !Number.isFinite(number)) errors.set(`${path}.value`, words.number)
  const value = kind === 'number' ? number : kind === 'flag' ? clause.value === 'true' : clause.value
  return { property, operator, value }
}
