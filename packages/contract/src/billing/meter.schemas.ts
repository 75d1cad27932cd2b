import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import {
  byId,
  fileQuery,
  flag,
  foreignId,
  listOf,
  listQuery,
  metadata,
  metadataFilter,
  metadataOutput,
  sellerErrors,
  stamped,
  writeErrors,
} from './fields.ts'
import type { meterCalls } from './meter.calls.ts'

export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'not_like'] as const

const clause = z.object({
  property: storable(256).min(1),
  operator: z.enum(filterOperators),
  value: z.union([storable(1000), z.number(), z.boolean()]),
})
/** A filter: clauses and nested groups. */
export type MeterFilter = {
  conjunction: 'and' | 'or'
  clauses: (MeterFilter | z.output<typeof clause>)[]
}
const filter: z.ZodType<MeterFilter, MeterFilter> = z.lazy(() =>
  z.object({ conjunction: z.enum(['and', 'or']), clauses: z.array(z.union([filter, clause])).max(50) }),
)
/** Limited, because every event is matched against the whole filter. */
const depthLimit = 8
const clauseLimit = 100
const boundedFilter = filter
  .refine((value) => depthOf(value) <= depthLimit, { error: `Groups should be at most ${depthLimit} deep` })
  .refine((value) => clausesIn(value) <= clauseLimit, { error: `There should be at most ${clauseLimit} clauses` })

const groupsIn = ({ clauses }: MeterFilter) => clauses.filter((each): each is MeterFilter => 'clauses' in each)
const depthOf = (value: MeterFilter): number => 1 + Math.max(0, ...groupsIn(value).map(depthOf))
const clausesIn = (value: MeterFilter): number =>
  value.clauses.length + groupsIn(value).reduce((sum, group) => sum + clausesIn(group), 0)
const aggregation = z.discriminatedUnion('func', [
  z.object({ func: z.literal('count') }),
  z.object({ func: z.enum(['sum', 'max', 'min', 'avg']), property: storable(256).min(1) }),
])

export const meter = z.object({
  ...stamped,
  name: z.string(),
  filter,
  aggregation,
  organizationId: z.string(),
  metadata: metadataOutput,
  archivedAt: z.null(),
})

const name = storable(256).trim().min(3)

const meterFilters = {
  query: storable(256).optional(),
  isArchived: flag,
  metadata: metadataFilter,
}

/** Bodies, queries, answers and refusals of the calls about meters. */
export const meterSchemas = {
  listMeters: {
    summary: 'Lists an organization’s meters.',
    query: z.object({
      ...listQuery(['created_at', 'name']),
      ...meterFilters,
    }),
    output: listOf(meter),
    errors: sellerErrors,
  },
  exportMeters: {
    summary: 'Exports meters as CSV.',
    query: z.object({ ...fileQuery, ...meterFilters }),
    errors: sellerErrors,
  },
  createMeter: {
    summary: 'Creates a meter: a filter of events and an aggregation.',
    body: z.object({
      name,
      filter: boundedFilter,
      aggregation,
      metadata: metadata.optional(),
      organizationId: foreignId.nullish(),
    }),
    output: meter,
    errors: writeErrors,
  },
  getMeter: { summary: 'Returns a meter.', params: byId, output: meter, errors: sellerErrors },
  updateMeter: {
    summary: 'Updates a meter.',
    params: byId,
    body: z.object({
      name: name.nullish(),
      filter: boundedFilter.nullish(),
      aggregation: aggregation.nullish(),
      metadata: metadata.optional(),
    }),
    output: meter,
    errors: writeErrors,
  },
} as const satisfies Record<keyof typeof meterCalls, Endpoint>
