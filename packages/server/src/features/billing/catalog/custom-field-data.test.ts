import type { CustomField } from '@tollgate/contract/billing-types'
import { describe, expect, test } from 'vitest'
import { checkCustomFieldData } from './custom-field-data.ts'

const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000

function field(type: CustomField['type'], properties: object = {}, required = false) {
  const common = { id: type, createdAt: '', modifiedAt: null, name: type, organizationId: 'o', metadata: {} }
  const customField = { ...common, type, slug: type, properties } as CustomField // as the contract's schema produces it
  return { customFieldId: type, customField, order: 0, required }
}
const options = [
  { value: 's', label: 'Small' },
  { value: 'm', label: 'Medium' },
]

describe('an answer', () => {
  const cases: [string, ReturnType<typeof field>, unknown, unknown][] = [
    ['is a text', field('text'), 'Ada', { value: 'Ada' }],
    ['is a text of at least so many letters', field('text', { minLength: 3 }), 'Ad', { type: 'string_too_short' }],
    ['is a text of exactly so many', field('text', { minLength: 3, maxLength: 3 }), 'Ada', { value: 'Ada' }],
    ['is a text of at most so many', field('text', { maxLength: 2 }), 'Ada', { type: 'string_too_long' }],
    ['counts letters as people do', field('text', { maxLength: 2 }), '👋👋', { value: '👋👋' }],
    ['is a text and no number', field('text'), 12, { type: 'string_type' }],
    ['is a text and no flag', field('text'), true, { type: 'string_type' }],
    ['is a whole number', field('number'), 12, { value: 12 }],
    ['is a whole number as a form sends it', field('number'), '-12', { value: -12 }],
    ['is no fraction', field('number'), 1.5, { type: 'int_type' }],
    ['is no fraction as a text', field('number'), '1.5', { type: 'int_type' }],
    ['is no number that is not exact', field('number'), 2 ** 53, { type: 'int_type' }],
    ['is no flag where a number is wanted', field('number'), true, { type: 'int_type' }],
    ['is a number from its least', field('number', { ge: 3, le: 5 }), 3, { value: 3 }],
    ['is a number to its most', field('number', { ge: 3, le: 5 }), 5, { value: 5 }],
    ['is not below its least', field('number', { ge: 3 }), 2, { type: 'greater_than_equal' }],
    ['is not above its most', field('number', { le: 5 }), 6, { type: 'less_than_equal' }],
    ['is not below a least of nothing', field('number', { ge: 0 }), -1, { type: 'greater_than_equal' }],
    ['is a day', field('date'), '2028-02-29', { value: '2028-02-29' }],
    ['is the beginning of a day', field('date'), '2026-03-01T00:00:00.000Z', { value: '2026-03-01' }],
    ['is no hour of a day', field('date'), '2026-03-01T12:00:00Z', { type: 'date_type' }],
    ['is no day that there is not', field('date'), '2026-02-29', { type: 'date_type' }],
    ['is no day in other words', field('date'), '1 March 2026', { type: 'date_type' }],
    ['is no number where a day is wanted', field('date'), 20_260_301, { type: 'date_type' }],
    ['is the first day', field('date', { ge: day('2026-03-01') + 3600 }), '2026-03-01', { value: '2026-03-01' }],
    ['is no day before', field('date', { ge: day('2026-03-01') }), '2026-02-28', { type: 'greater_than_equal' }],
    ['is the last day', field('date', { le: day('2026-03-01') }), '2026-03-01', { value: '2026-03-01' }],
    ['is no day after', field('date', { le: day('2026-03-01') }), '2026-03-02', { type: 'less_than_equal' }],
    ['is yes', field('checkbox'), true, { value: true }],
    ['is no', field('checkbox'), false, { value: false }],
    ['is yes as a form sends it', field('checkbox'), 'on', { value: true }],
    ['is no as a form sends it', field('checkbox'), 'false', { value: false }],
    ['is neither yes nor no', field('checkbox'), 'maybe', { type: 'bool_type' }],
    ['is yes where yes is wanted', field('checkbox', {}, true), true, { value: true }],
    ['is not no where yes is wanted', field('checkbox', {}, true), false, { type: 'literal_error' }],
    ['is one of the options', field('select', { options }), 'm', { value: 'm' }],
    ['is not the label of one', field('select', { options }), 'Medium', { type: 'literal_error' }],
    ['is none', field('text'), null, { value: null }],
    ['is none where it is empty', field('select', { options }), '', { value: null }],
  ]
  test.each(cases)('%s', (_, asked, given, expected) => {
    const { slug } = asked.customField
    const { data, issues } = checkCustomFieldData([asked], { [slug]: given }, true)
    const told = issues.map(({ loc, type }) => ({ loc, type }))
    if (typeof expected === 'object' && expected !== null && 'value' in expected)
      expect([data, told]).toEqual([{ [slug]: expected.value }, []])
    else expect(told).toEqual([{ loc: ['body', 'custom_field_data', slug], ...(expected as object) }])
  })
})

describe('answers', () => {
  const required = [field('text', {}, true), field('checkbox', {}, true), field('number')]

  test('are required, where configured, at the confirmation', () => {
    for (const data of [{}, { text: null, checkbox: null }, { text: '', checkbox: '' }])
      expect(checkCustomFieldData(required, data, true).issues.map(({ loc, type }) => [loc[2], type])).toEqual([
        ['text', 'missing'],
        ['checkbox', 'missing'],
      ])
  })

  test('may be missing before, but not wrong', () => {
    expect(checkCustomFieldData(required, { checkbox: false }, false)).toEqual({
      data: { checkbox: false },
      issues: [],
    })
    expect(checkCustomFieldData(required, { number: 'x' }, false).issues).toHaveLength(1)
  })

  test('to questions that were not asked are dropped', () => {
    const given = JSON.parse('{"other":1,"__proto__":{"text":"inherited"},"number":7}')

    expect(checkCustomFieldData(required, given, false)).toEqual({ data: { number: 7 }, issues: [] })
  })

  test('that are wrong are reported all at once', () => {
    const { issues } = checkCustomFieldData(required, { text: 1, checkbox: 'x', number: 'x' }, true)

    expect(issues.map(({ type }) => type)).toEqual(['string_type', 'bool_type', 'int_type'])
  })
})
