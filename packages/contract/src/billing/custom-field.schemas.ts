import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import type { customFieldCalls } from './custom-field.calls.ts'
import {
  byId,
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
/** Whole numbers; of dates seconds since 1970 (contract, Custom fields). */
const range = { ge: z.int().optional(), le: z.int().optional() }
const length = z.int().min(0).max(10_000).optional()

/** What each kind of field has besides. */
const propertiesOf = {
  text: z.object({ ...shown, textarea: z.boolean().optional(), minLength: length, maxLength: length }),
  number: z.object({ ...shown, ...range }),
  date: z.object({ ...shown, ...range }),
  checkbox: z.object(shown),
  select: z.object({
    ...shown,
    options: z
      .array(z.object({ value: storable(256).min(1), label: storable(256).min(1) }))
      .min(1)
      .max(200),
  }),
}

const slug = storable(64)
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9-_]+$/, 'String should match pattern ^[a-z0-9-_]+$')
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

/** A field of a product, in its place. */
export const attachedCustomField = z.object({
  customFieldId: z.string(),
  customField,
  order: z.int(),
  required: z.boolean(),
})

/** Bodies, queries, answers and refusals of the calls about custom fields. */
export const customFieldSchemas = {
  listCustomFields: {
    summary: 'The custom fields of an organization.',
    query: z.object({
      ...listQuery(['created_at', 'slug', 'name', 'type']),
      query: storable(256).optional(),
      type: several(z.enum(customFieldTypes)),
    }),
    output: listOf(customField),
    errors: sellerErrors,
  },
  createCustomField: {
    summary: 'Makes a custom field.',
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
  getCustomField: { summary: 'A custom field.', params: byId, output: customField, errors: sellerErrors },
  updateCustomField: {
    summary: 'Changes a custom field; its type stays. Answers that are stored follow a new slug.',
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
  deleteCustomField: { summary: 'Removes a custom field; stored answers stay.', params: byId, errors: writeErrors },
} as const satisfies Record<keyof typeof customFieldCalls, Endpoint>
