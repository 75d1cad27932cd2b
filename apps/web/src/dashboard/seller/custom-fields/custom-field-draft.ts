import { customFieldSchemas } from '@tollgate/contract/billing-schemas'
import type { BillingBody, CustomField } from '@tollgate/contract/billing-types'
import { contractBody, wholeIn } from '../../parts/contract-body.ts'
import { entriesOf, type MetadataEntry, metadataOf } from '../../parts/metadata.ts'
import type { FieldType } from './custom-fields.resource.ts'
import { customFieldWords } from './custom-fields.texts.ts'

export type OptionDraft = { readonly id: number; readonly value: string; readonly label: string }

/** A custom field as the fields of its editor hold it; of each kind only some of them are used. */
export type FieldDraft = {
  readonly type: FieldType
  readonly name: string
  readonly slug: string
  readonly properties: {
    readonly formLabel: string
    readonly formHelpText: string
    readonly formPlaceholder: string
    readonly textarea: boolean
    readonly minLength: string
    readonly maxLength: string
    /** Numbers, or days such as 2026-03-01. */
    readonly ge: string
    readonly le: string
    readonly options: readonly OptionDraft[]
  }
  readonly metadata: readonly MetadataEntry[]
}

let made = 0
export const newOption = (value = '', label = ''): OptionDraft => {
  made += 1
  return { id: made, value, label }
}

export const newField = (): FieldDraft => ({
  type: 'text',
  name: '',
  slug: '',
  properties: {
    formLabel: '',
    formHelpText: '',
    formPlaceholder: '',
    textarea: false,
    minLength: '',
    maxLength: '',
    ge: '',
    le: '',
    options: [],
  },
  metadata: [],
})

export function draftOf(field: CustomField): FieldDraft {
  const { type, name, slug, properties } = field
  const rangeText = type === 'date' ? dayField : numberText
  return {
    type,
    name,
    slug,
    properties: {
      ...newField().properties,
      formLabel: properties.formLabel ?? '',
      formHelpText: properties.formHelpText ?? '',
      formPlaceholder: properties.formPlaceholder ?? '',
      ...(type === 'text' && {
        textarea: field.properties.textarea ?? false,
        minLength: numberText(field.properties.minLength),
        maxLength: numberText(field.properties.maxLength),
      }),
      ...((type === 'number' || type === 'date') && {
        ge: rangeText(field.properties.ge),
        le: rangeText(field.properties.le),
      }),
      ...(type === 'select' && {
        options: field.properties.options.map(({ value, label }) => newOption(value, label)),
      }),
    },
    metadata: entriesOf(field.metadata),
  }
}

const numberText = (value: number | undefined) => (value === undefined ? '' : String(value))

/** A slug of a name: "T-shirt size" is `t-shirt-size`. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)

type Body = BillingBody<'createCustomField'>

/** The request body. Throws FieldErrors with the server's field names. */
export function bodyOf({ type, name, slug, properties, metadata }: FieldDraft): Body {
  const common = { name: name.trim(), slug: slug.trim().toLowerCase(), metadata: metadataOf(metadata) }
  return contractBody<Body>(
    customFieldSchemas.createCustomField.body,
    { ...common, ...kindOf(type, properties) },
    words,
  )
}

const { name, slug, whole, order, options, option, twice } = customFieldWords.errors
const most = (type: string) => (type === 'value_error' ? order : whole)
const words = {
  name,
  slug,
  min_length: whole,
  max_length: most,
  ge: whole,
  le: most,
  'properties.options': options,
  'options.value': (type: string) => (type === 'value_error' ? twice : option),
  'options.label': option,
}

function kindOf(type: FieldType, properties: FieldDraft['properties']) {
  const { formLabel, formHelpText, formPlaceholder, textarea, minLength, maxLength, ge, le } = properties
  const shown = given({
    formLabel: formLabel.trim() || null,
    formHelpText: formHelpText.trim() || null,
    formPlaceholder: formPlaceholder.trim() || null,
  })
  switch (type) {
    case 'text':
      return {
        type,
        properties: { ...shown, textarea, ...given({ minLength: wholeIn(minLength), maxLength: wholeIn(maxLength) }) },
      }
    case 'number':
      return { type, properties: { ...shown, ...given({ ge: wholeIn(ge), le: wholeIn(le) }) } }
    case 'date':
      return { type, properties: { ...shown, ...given({ ge: dayIn(ge), le: dayIn(le) }) } }
    case 'checkbox':
      return { type, properties: shown }
    case 'select': {
      const trimmed = properties.options.map(({ value, label }) => ({ value: value.trim(), label: label.trim() }))
      return { type, properties: { ...shown, options: trimmed } }
    }
  }
}

/** The members that have a value; what is left empty is not sent. Entries do not keep the names of members, so they are cast. */
const given = <Member extends string, Value>(members: Record<Member, Value | null>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as Partial<Record<Member, Value>>

/** Seconds since 1970, as the server has the bounds of dates (billing contract, Custom fields), to a day and back. */
const dayField = (seconds: number | undefined): string =>
  seconds === undefined ? '' : new Date(seconds * 1000).toISOString().slice(0, 10)
const dayIn = (day: string): number | null => (day === '' ? null : Date.parse(`${day}T00:00:00Z`) / 1000)
