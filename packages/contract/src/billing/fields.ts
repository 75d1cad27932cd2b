import { z } from 'zod'
import { storable, timestamp as utc } from '../fields.ts'
import { currencyCodes } from './currencies.ts'

/** Fields of several billing calls. Amounts are whole minor units (billing contract, section 1). */

export { utc }

/** Ids of billing's own objects: UUID v4 in lower case. */
export const id = z.uuidv4({ error: 'Input should be a valid UUID' }).transform((value) => value.toLowerCase())
/** Organizations and users have ids of another format. */
export const foreignId = storable(64)
/** An empty value counts as absent (contract, "Empty strings"). */
export const emptyIsNull = (limit = 2048) =>
  z.preprocess((value) => (value === '' ? null : value), storable(limit).nullish())
/** A required text, trimmed; blanks alone are refused. */
export const requiredText = (limit: number) =>
  storable(limit)
    .refine((value) => value.trim() !== '', 'Input should not be blank')
    .transform((value) => value.trim())
/** The largest stored amount: beyond any price, and exact as a number. */
export const amountLimit = 999_999_999_999
export const amount = z.int().min(0).max(amountLimit)
const currencies = new Set(currencyCodes)
export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, 'Input should be a three-letter currency')
  .transform((value) => value.toLowerCase())
  .refine((value) => currencies.has(value), 'Input should be a currency of ISO 4217')

/** The caller's map: at most 50 keys of 1–40 characters, values of at most 500 (contract, "Metadata"). */
export const metadata = z
  .record(storable(40).min(1), z.union([storable(500).min(1), z.number(), z.boolean()]))
  .refine((value) => Object.keys(value).length <= 50, 'Dictionary should have at most 50 items')
export const metadataOutput = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** An ISO 8601 time with an offset; stored in UTC. */
export const moment = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .refine(
    (value) => value.getUTCFullYear() >= 1970 && value.getUTCFullYear() < 9999,
    'Input should be a valid datetime',
  )

/**
 * An http or https address without credentials, stored as written. `https:evil`, backslashes, control characters and
 * surrounding blanks are refused: parsers disagree about the host of such an address.
 */
export const webAddress = storable(2048).refine((value) => {
  if (!/^https?:\/\/[^/]/i.test(value) || /[\\\p{Cc}]/u.test(value) || value.trim() !== value) return false
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}, 'Input should be a valid URL')

/** A repeatable filter; any of its values matches. */
export const several = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .union([z.array(schema).max(100), schema.transform((value) => [value])])
    .optional()
    .transform((value) => value as z.output<Schema>[] | undefined)
/** Text in a query, a boolean from code. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]).optional()
/** A whole number, in a query as text. */
export const whole = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number),
])

/** Whether a price contains its tax. */
export const taxBehaviors = ['exclusive', 'inclusive'] as const
export const recurringIntervals = ['month', 'year'] as const
export const recurringInterval = z.enum(recurringIntervals)

/** The page, by number (as in the Polar SDK) or by the previous page's cursor, the order, and the time of creation. */
export const listQuery = <Field extends string>(sortable: readonly Field[]) => ({
  organizationId: several(foreignId),
  page: whole.pipe(z.int().min(1).max(1_000_000_000)).default(1),
  limit: whole
    .pipe(z.int().min(1))
    .default(10)
    .transform((value) => Math.min(value, 100)),
  cursor: storable(2048).optional(),
  sorting: z
    .union([z.array(sortBy(sortable)).max(5), sortBy(sortable).transform((value) => [value])])
    .optional()
    .transform((value) => value as readonly SortBy<Field>[] | undefined),
  createdAfter: moment.optional(),
  createdBefore: moment.optional(),
})
export type SortBy<Field extends string> = Field | `-${Field}`
const sortBy = <Field extends string>(fields: readonly Field[]) =>
  z.enum(fields.flatMap((field) => [field, `-${field}`]) as [SortBy<Field>, ...SortBy<Field>[]])

export const metadataFilter = z
  .record(storable(40).min(1), z.union([storable(500).transform((value) => [value]), z.array(storable(500)).max(20)]))
  .optional()

/** A page of a list. `nextCursor` leads to the next page, if there is one; with a cursor nothing is counted. */
export const listOf = <Schema extends z.ZodType>(item: Schema) =>
  z.object({
    items: z.array(item),
    pagination: z.object({
      totalCount: z.int().optional(),
      maxPage: z.int().optional(),
      nextCursor: z.string().nullable(),
    }),
  })

export const byId = z.object({ id })

/** The fields of every object. */
export const stamped = { id: z.string(), createdAt: utc, modifiedAt: utc.nullable() }

const addressLine = emptyIsNull(255)
/** An address. Only the country is always required: ISO 3166-1, two letters. */
export const addressInput = z.object({
  line1: addressLine,
  line2: addressLine,
  postalCode: emptyIsNull(32),
  city: addressLine,
  state: emptyIsNull(64),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'Input should be a two-letter country')
    .transform((value) => value.toUpperCase()),
})
export const address = z.object({
  line1: z.string().nullable(),
  line2: z.string().nullable(),
  postalCode: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  country: z.string(),
})

export const customFieldDataInput = z
  .record(storable(255), z.union([storable(10_000), z.number(), z.boolean(), z.null()]))
  .refine((value) => Object.keys(value).length <= 100, 'Dictionary should have at most 100 items')
export const customFieldDataOutput = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Refusals of every call for sellers. */
export const sellerErrors = [
  'UNAUTHORIZED',
  'INSUFFICIENT_SCOPE',
  'NOT_PERMITTED',
  'RESOURCE_NOT_FOUND',
  'REQUEST_INVALID',
  'INVALID_ORIGIN',
  'NOT_ALLOWED_WHILE_IMPERSONATING',
  'MERCHANT_NOT_APPROVED',
] as const
/** Additional refusals of calls with a body. */
export const writeErrors = [
  ...sellerErrors,
  'MALFORMED_JSON',
  'JSON_TOO_DEEP',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_ANSWER_LOST',
] as const
/** Refusals of calls with a secret in the path. */
export const secretErrors = [
  'RESOURCE_NOT_FOUND',
  'REQUEST_INVALID',
  'MALFORMED_JSON',
  'JSON_TOO_DEEP',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INVALID_ORIGIN',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_ANSWER_LOST',
] as const

/** Refusals of calls by the token of a customer session. */
export const customerErrors = ['UNAUTHORIZED', ...secretErrors] as const

/** What every file of rows can be asked for, besides the filters of its list. */
export const fileQuery = {
  organizationId: several(foreignId),
  /** These rows alone. */
  id: several(id),
  startTimestamp: moment.optional(),
  endTimestamp: moment.optional(),
  /** The columns by heading, in the wanted order; `email` is the customer's. Default: all. */
  columns: several(storable(64)),
}
