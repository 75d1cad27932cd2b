import type { CustomField } from '@tollgate/contract/billing-types'
import { expect, test } from 'vitest'
import { FieldErrors } from '../../parts/field-errors.ts'
import { bodyOf, draftOf, type FieldDraft, newField, newOption, slugOf } from './custom-field-draft.ts'

type Properties = FieldDraft['properties']
const draft = ({ properties, ...rest }: Changes): FieldDraft => ({
  ...newField(),
  name: 'Size',
  slug: 'size',
  ...rest,
  properties: { ...newField().properties, ...properties },
})
type Changes = Partial<Omit<FieldDraft, 'properties'> & { properties: Partial<Properties> }>

test.each<[Changes, object]>([
  [
    { properties: { formLabel: ' Your size ' } },
    { type: 'text', properties: { formLabel: 'Your size', textarea: false } },
  ],
  [
    { properties: { minLength: '2', maxLength: '10' } },
    { type: 'text', properties: { textarea: false, minLength: 2, maxLength: 10 } },
  ],
  [
    { type: 'number', properties: { ge: '-5' } },
    { type: 'number', properties: { ge: -5 } },
  ],
  [
    { type: 'date', properties: { ge: '2026-03-01', le: '' } },
    { type: 'date', properties: { ge: 1_772_323_200 } },
  ],
  [
    { type: 'checkbox', properties: { formHelpText: 'Please' } },
    { type: 'checkbox', properties: { formHelpText: 'Please' } },
  ],
  [
    { type: 'select', properties: { options: [newOption('s', 'Small')] } },
    { type: 'select', properties: { options: [{ value: 's', label: 'Small' }] } },
  ],
])('%o is sent as a field of its kind, with nothing of the others', (rest, expected) => {
  expect(bodyOf(draft(rest))).toEqual({ name: 'Size', slug: 'size', metadata: {}, ...expected })
})

test.each<[string, Changes, string]>([
  ['no name', { name: '' }, 'name'],
  ['a slug with a blank', { slug: 'a b' }, 'slug'],
  ['half a letter', { properties: { minLength: '1.5' } }, 'properties.min_length'],
  ['a fraction', { type: 'number', properties: { ge: '0.5' } }, 'properties.ge'],
  ['a most below the least', { type: 'number', properties: { ge: '5', le: '4' } }, 'properties.le'],
  [
    'a latest day before the earliest',
    { type: 'date', properties: { ge: '2026-03-02', le: '2026-03-01' } },
    'properties.le',
  ],
  ['no choices', { type: 'select' }, 'properties.options'],
  [
    'a choice without a label',
    { type: 'select', properties: { options: [newOption('s', '')] } },
    'properties.options.0.label',
  ],
  [
    'one value twice',
    { type: 'select', properties: { options: [newOption('s', 'Small'), newOption('s ', 'Short')] } },
    'properties.options.1.value',
  ],
])('%s is refused at its field', (_, rest, field) => {
  expect(() => bodyOf(draft(rest))).toThrow(FieldErrors)
  expect(() => bodyOf(draft(rest))).toThrow(
    expect.objectContaining({ messages: new Map([[field, expect.any(String)]]) }),
  )
})

test('a field that nobody has changed is sent as it was', () => {
  const field: CustomField = {
    id: 'f',
    createdAt: '2026-03-01T12:00:00.000Z',
    modifiedAt: null,
    type: 'date',
    name: 'Delivery',
    slug: 'delivery',
    organizationId: 'o',
    metadata: { shown: true },
    properties: { formLabel: 'When', ge: 1_772_323_200, le: 1_774_915_200 },
  }
  const { type, name, slug, metadata, properties } = field

  expect(bodyOf(draftOf(field))).toEqual({ type, name, slug, metadata, properties })
})

test.each([
  ['T-shirt size', 't-shirt-size'],
  ['  Größe (cm) ', 'gro-e-cm'],
  ['Prénom', 'prenom'],
  ['!!!', ''],
])('the slug of %j is %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})
