import type { BillingBody, CustomField } from '@tollgate/contract/billing-types'
import { FieldErrors } from '../../parts/field-errors.ts'
import { entriesOf, type MetadataEntry, metadataOf } from '../../parts/metadata.ts'
import type { FieldType } from './custom-fields.resource.ts'
import { customFieldWords } from './custom-fields.texts.ts'

export type OptionDraft = { readonly id: number; readonly value: string; readonly label: string }

/** A custom field as the fields of its editor hold it; of each kind only some of them are used. */
export type FieldDraft = {
  readonly type: FieldType
  readonly name: string
  readonly slug: string
  readonly label: string
  readonly help: string
  readonly placeholder: string
  readonly textarea: boolean
  readonly minLength: string
  readonly maxLength: string
  /** Numbers, or days such as 2026-03-01. */
  readonly least: string
  readonly most: string
  readonly options: readonly OptionDraft[]
  readonly metadata: readonly MetadataEntry[]
}

let options = 0
export const newOption = (value = '', label = ''): OptionDraft => {
  options += 1
  return { id: options, value, label }
}

export const newField = (): FieldDraft => ({
  type: 'text',
  name: '',
  slug: '',
  label: '',
  help: '',
  placeholder: '',
  textarea: false,
  minLength: '',
  maxLength: '',
  least: '',
  most: '',
  options: [],
  metadata: [],
})

export function draftOf(field: CustomField): FieldDraft {
  const { type, name, slug, properties } = field
  const numberText = (value: number | undefined) => (value === undefined ? '' : String(value))
  const rangeText = type === 'date' ? dayField : numberText
  return {
    ...newField(),
    type,
    name,
    slug,
    label: properties.formLabel ?? '',
    help: properties.formHelpText ?? '',
    placeholder: properties.formPlaceholder ?? '',
    ...(type === 'text' && {
      textarea: field.properties.textarea ?? false,
      minLength: numberText(field.properties.minLength),
      maxLength: numberText(field.properties.maxLength),
    }),
    ...((type === 'number' || type === 'date') && {
      least: rangeText(field.properties.ge),
      most: rangeText(field.properties.le),
    }),
    ...(type === 'select' && {
      options: field.properties.options.map(({ value, label }) => newOption(value, label)),
    }),
    metadata: entriesOf(field.metadata),
  }
}

/** A slug of a name: "T-shirt size" is `t-shirt-size`. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)

/** The request body. Throws FieldErrors with the server's field names. */
export function bodyOf(draft: FieldDraft): BillingBody<'createCustomField'> {
  const errors = new Map<string, string>()
  const words = customFieldWords.errors
  const { type } = draft
  const name = draft.name.trim()
  const slug = draft.slug.trim().toLowerCase()
  if (name === '') errors.set('name', words.name)
  if (!/^[a-z0-9-_]+$/.test(slug)) errors.set('slug', words.slug)

  const numberOf = (text: string, field: string, pattern: RegExp): number | undefined => {
    if (text.trim() === '') return undefined
    if (!pattern.test(text.trim())) errors.set(`properties.${field}`, words.whole)
    return Number(text)
  }
  const range = (least: number | undefined, most: number | undefined, names: readonly [string, string]) => {
    if (least !== undefined && most !== undefined && most < least) errors.set(`properties.${names[1]}`, words.order)
    return { ...(least !== undefined && { [names[0]]: least }), ...(most !== undefined && { [names[1]]: most }) }
  }
  const lengthOf = (text: string, field: string) => numberOf(text, field, /^\d{1,4}$/)
  const boundOf = (text: string, field: string) =>
    type === 'date' ? dayIn(text) : numberOf(text, field, /^-?\d{1,15}$/)

  const shown = {
    ...(draft.label.trim() && { formLabel: draft.label.trim() }),
    ...(draft.help.trim() && { formHelpText: draft.help.trim() }),
    ...(draft.placeholder.trim() && { formPlaceholder: draft.placeholder.trim() }),
  }
  const lengths = () =>
    range(lengthOf(draft.minLength, 'min_length'), lengthOf(draft.maxLength, 'max_length'), ['minLength', 'maxLength'])
  const bounds = () => range(boundOf(draft.least, 'ge'), boundOf(draft.most, 'le'), ['ge', 'le'])
  const common = { name, slug, metadata: metadataOf(draft.metadata) }
  const body = (): BillingBody<'createCustomField'> => {
    switch (type) {
      case 'text':
        return { ...common, type, properties: { ...shown, textarea: draft.textarea, ...lengths() } }
      case 'number':
      case 'date':
        return { ...common, type, properties: { ...shown, ...bounds() } }
      case 'checkbox':
        return { ...common, type, properties: shown }
      case 'select':
        return { ...common, type, properties: { ...shown, options: optionsOf(draft, errors) } }
    }
  }
  const made = body()
  if (errors.size > 0) throw new FieldErrors(errors)
  return made
}

function optionsOf(draft: FieldDraft, errors: Map<string, string>) {
  const words = customFieldWords.errors
  if (draft.options.length === 0) errors.set('properties.options', words.options)
  return draft.options.map(({ value, label }, index, all) => {
    const path = `properties.options.${index}`
    const [written, read] = [value.trim(), label.trim()]
    if (written === '') errors.set(`${path}.value`, words.option)
    else if (all.findIndex((each) => each.value.trim() === written) < index) errors.set(`${path}.value`, words.twice)
    if (read === '') errors.set(`${path}.label`, words.option)
    return { value: written, label: read }
  })
}

/** Seconds since 1970, as the server has the bounds of dates (billing contract, Custom fields), to a day and back. */
const dayField = (seconds: number | undefined): string =>
  seconds === undefined ? '' : new Date(seconds * 1000).toISOString().slice(0, 10)
const dayIn = (day: string): number | undefined => (day === '' ? undefined : Date.parse(`${day}T00:00:00Z`) / 1000)
