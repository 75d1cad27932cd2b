import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import type { customFieldCalls } from './custom-field.calls.ts'
import {
  byId,
  fileQuery,
  foreignId,
  listOf,
  listQuery,
  metadata,
  metadataOutput,
  sellerErrors,
  several,
  stamped,
  writeErrors,
} from './fields.ts'

export const customFieldTypes = ['text', 'number', 'date', 'checkbox', 'select'] as const

const shown = {
  formLabel: storable(256).optional(),
  formHelpText: storable(1024).optional(),
  formPlaceholder: storable(256).optional(),
}
const ranged = (bound: z.ZodInt) =>
  z
    .object({ ...shown, ge: bound.optional(), le: bound.optional() })
    .refine(({ ge, le }) => ge === undefined || le === undefined || ge <= le, {
      path: ['le'],
      error: 'Input should be greater than or equal to ge',
    })
/** Unix seconds of the years 1 to 9999 (contract, Custom fields). */
const unixSeconds = z.int().min(-62_135_596_800).max(253_402_300_799)
const length = z.int().min(0).max(10_000).optional()
const option = z.object({ value: storable(256).min(1), label: storable(256).min(1) })

/** The properties of each kind of field. */
const propertiesOf = {
  text: z
    .object({ ...shown, textarea: z.boolean().optional(), minLength: length, maxLength: length })
    .refine(({ minLength = 0, maxLength = 10_000 }) => minLength <= maxLength, {
      path: ['maxLength'],
      error: 'Input should be greater than or equal to min_length',
    }),
  number: ranged(z.int()),
  date: ranged(unixSeconds),
  checkbox: z.object(shown),
  select: z.object({
    ...shown,
    options: z
      .array(option)
      .min(1)
      .max(200)
      .superRefine((options, { addIssue }) => {
        const values = options.map(({ value }) => value)
        const repeated = values.findIndex((value, index) => values.indexOf(value) < index)
        const message = 'Every option should have a value of its own'
        if (repeated !== -1) addIssue({ code: 'custom', path: [repeated, 'value'], message })
      }),
  }),
}

/** Also a key of maps, so it cannot be `__proto__`. */
const slug = storable(64)
  .trim()
  .toLowerCase()
  .regex(/^(?!__proto__$)[a-z0-9-_]+$/, 'String should match pattern ^[a-z0-9-_]+$')
const name = storable(256).trim().min(1)

const created = <Type extends keyof typeof propertiesOf>(type: Type) =>
  z.object({
    type: z.literal(type),
    slug,
    name,
    properties: propertiesOf[type],
    metadata: metadata.optional(),
    organizationId: foreignId.nullish(),
  })
const updated = <Type extends keyof typeof propertiesOf>(type: Type) =>
  z.object({
    type: z.literal(type),
    slug: slug.nullish(),
    name: name.nullish(),
    properties: propertiesOf[type].nullish(),
    metadata: metadata.optional(),
  })
const answered = <Type extends keyof typeof propertiesOf>(type: Type) =>
  z.object({
    ...stamped,
    type: z.literal(type),
    slug: z.string(),
    name: z.string(),
    organizationId: z.string(),
    metadata: metadataOutput,
    properties: propertiesOf[type],
  })

export const customField = z.discriminatedUnion('type', [
  answered('text'),
  answered('number'),
  answered('date'),
  answered('checkbox'),
  answered('select'),
])

/** A product's field, with its order. */
export const attachedCustomField = z.object({
  customFieldId: z.string(),
  customField,
  order: z.int(),
  required: z.boolean(),
})

const customFieldFilters = {
  query: storable(256).optional(),
  type: several(z.enum(customFieldTypes)),
}

/** Bodies, queries, answers and refusals of the calls about custom fields. */
export const customFieldSchemas = {
  listCustomFields: {
    summary: 'Lists an organization’s custom fields.',
    query: z.object({
      ...listQuery(['created_at', 'slug', 'name', 'type']),
      ...customFieldFilters,
    }),
    output: listOf(customField),
    errors: sellerErrors,
  },
  exportCustomFields: {
    summary: 'Exports custom fields as CSV.',
    query: z.object({ ...fileQuery, ...customFieldFilters }),
    errors: sellerErrors,
  },
  createCustomField: {
    summary: 'Creates a custom field.',
    body: z.discriminatedUnion('type', [
      created('text'),
      created('number'),
      created('date'),
      created('checkbox'),
      created('select'),
    ]),
    output: customField,
    errors: writeErrors,
  },
  getCustomField: { summary: 'Returns a custom field.', params: byId, output: customField, errors: sellerErrors },
  updateCustomField: {
    summary: 'Updates a custom field; its type never changes. Stored answers follow a new slug.',
    params: byId,
    body: z.discriminatedUnion('type', [
      updated('text'),
      updated('number'),
      updated('date'),
      updated('checkbox'),
      updated('select'),
    ]),
    output: customField,
    errors: writeErrors,
  },
  deleteCustomField: { summary: 'Deletes a custom field; stored answers stay.', params: byId, errors: writeErrors },
} as const satisfies Record<keyof typeof customFieldCalls, Endpoint>
