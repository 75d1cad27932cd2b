import type { CustomField, Product } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../../../foundation/error.ts'
import { inBody } from '../invalid.ts'

type Attached = Product['attachedCustomFields']
export type CustomFieldData = Record<string, string | number | boolean | null>

/** An answer's stored value, or its fault. */
type Checked = { readonly value: string | number | boolean } | { readonly msg: string; readonly type: string }

/**
 * Checks the answers to a product's custom fields (CHK-20). Drops unknown keys. Requires required fields only when
 * `complete`; an empty text counts as missing. Numbers and flags may come as texts, as forms send them.
 */
export function checkCustomFieldData(
  fields: Attached,
  data: Readonly<Record<string, unknown>>,
  complete: boolean,
): { data: CustomFieldData; issues: InputIssue[] } {
  const answers: [string, string | number | boolean | null][] = []
  const issues: InputIssue[] = []
  for (const { customField, required } of fields) {
    const { slug } = customField
    const given = Object.hasOwn(data, slug) ? data[slug] : undefined
    const place = ['custom_field_data', slug]
    const isMissing = given === undefined || given === null || given === ''
    if (isMissing && required && complete) issues.push(inBody(place, 'Field required', 'missing'))
    if (given === undefined) continue
    if (isMissing) {
      answers.push([slug, null])
      continue
    }
    const checked = checkAnswer(customField, given)
    if ('msg' in checked) issues.push(inBody(place, checked.msg, checked.type))
    else if (customField.type === 'checkbox' && required && complete && checked.value !== true)
      issues.push(inBody(place, 'Input should be true', 'literal_error'))
    else answers.push([slug, checked.value])
  }
  return { data: Object.fromEntries(answers), issues }
}

function checkAnswer(field: CustomField, given: unknown): Checked {
  switch (field.type) {
    case 'text':
      return checkText(field.properties, given)
    case 'number':
      return checkNumber(field.properties, given)
    case 'date':
      return checkDate(field.properties, given)
    case 'checkbox':
      return checkFlag(given)
    case 'select':
      return checkOption(field.properties, given)
  }
}

type Properties<Type extends CustomField['type']> = Extract<CustomField, { type: Type }>['properties']

/** Counts code points, not UTF-16 units, so an emoji counts as one character. */
function checkText({ minLength = 0, maxLength = 10_000 }: Properties<'text'>, given: unknown): Checked {
  if (typeof given !== 'string') return { type: 'string_type', msg: 'Input should be a valid string' }
  const { length } = [...given]
  if (length < minLength)
    return { type: 'string_too_short', msg: `String should have at least ${minLength} characters` }
  if (length > maxLength) return { type: 'string_too_long', msg: `String should have at most ${maxLength} characters` }
  return { value: given }
}

function checkNumber(range: Properties<'number'>, given: unknown): Checked {
  const value = typeof given === 'string' && /^-?\d{1,15}$/.test(given) ? Number(given) : given
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    return { type: 'int_type', msg: 'Input should be a valid integer' }
  return bounded(value, range, String) ?? { value }
}

const dayLength = 86_400
const dayOf = (unixSeconds: number): number => Math.floor(unixSeconds / dayLength)

/** Accepts a day (`2026-03-01`) or its midnight; the bounds are whole days too. */
function checkDate({ ge, le }: Properties<'date'>, given: unknown): Checked {
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:00)?)?$/.exec(String(given)) ?? []
  const time = day === undefined || typeof given !== 'string' ? Number.NaN : Date.parse(`${day}T00:00:00Z`)
  // `Date.parse` reads 30 February as 2 March.
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${day}T`)
  if (day === undefined || !isDay) return { type: 'date_type', msg: 'Input should be a valid date' }
  const range = { ge: ge === undefined ? ge : dayOf(ge), le: le === undefined ? le : dayOf(le) }
  const text = (days: number) => new Date(days * dayLength * 1000).toISOString().slice(0, 10)
  return bounded(dayOf(time / 1000), range, text) ?? { value: day }
}

function checkFlag(given: unknown): Checked {
  if (typeof given === 'boolean') return { value: given }
  if (given === 'true' || given === 'on') return { value: true }
  if (given === 'false') return { value: false }
  return { type: 'bool_type', msg: 'Input should be a valid boolean' }
}

function checkOption({ options }: Properties<'select'>, given: unknown): Checked {
  const option = options.find(({ value }) => value === given)
  if (option) return { value: option.value }
  return { type: 'literal_error', msg: 'Input should be one of the options' }
}

type Range = { readonly ge?: number | undefined; readonly le?: number | undefined }

function bounded(value: number, { ge, le }: Range, text: (bound: number) => string): Checked | undefined {
  if (ge !== undefined && value < ge)
    return { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${text(ge)}` }
  if (le !== undefined && value > le)
    return { type: 'less_than_equal', msg: `Input should be less than or equal to ${text(le)}` }
  return undefined
}
