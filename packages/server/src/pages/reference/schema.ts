import { escapeHtml } from '../../foundation/html.ts'
import { type ReadSchema, shapeName, typeText } from '../../foundation/http/type-text.ts'

type Shapes = ReadonlyMap<string, ReadSchema>

/** Members that stay open at first sight: deeper ones open on demand. */
const deepest = 6

/** The members of an object as a list: name, type, whether they are required, and their own members on demand. */
export function memberList(schema: ReadSchema, io: 'input' | 'output', shapes: Shapes, depth = 0): string {
  const choices = objectChoices(schema)
  if (choices.length > 1)
    return choices
      .map(
        (choice, index) =>
          `<details class="choice"${index === 0 && depth === 0 ? ' open' : ''}><summary>${escapeHtml(choiceName(choice, index))}</summary>${memberList(choice, io, shapes, depth + 1)}</details>`,
      )
      .join('')
  const { properties = {}, required = [] } = choices[0] ?? {}
  const members = Object.entries(properties).map(([name, member]) => {
    const must = io === 'input' && required.includes(name) ? ' <span class="required">required</span>' : ''
    const inner = depth < deepest ? innerMembers(name, member, io, shapes, depth) : ''
    return `<dt><code>${escapeHtml(name)}</code> <span class="type">${typeHtml(member, shapes)}</span>${must}</dt><dd>${about(member)}${inner}</dd>`
  })
  return members.length > 0 ? `<dl class="members">${members.join('')}</dl>` : ''
}

/** The objects that a value may be, without null; empty where it is none, or a shape with a page of its own. */
function objectChoices(schema: ReadSchema): ReadSchema[] {
  if (schema.type === 'array') return objectChoices(schema.items ?? {})
  if (schema.allOf)
    return [
      {
        properties: Object.assign({}, ...schema.allOf.map(({ properties }) => properties)),
        required: schema.allOf.flatMap(({ required = [] }) => required),
      },
    ]
  if (schema.properties) return [schema]
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap(objectChoices)
}

function innerMembers(name: string, schema: ReadSchema, io: 'input' | 'output', shapes: Shapes, depth: number): string {
  const list = memberList(schema, io, shapes, depth + 1)
  return list && `<details><summary>Members of ${escapeHtml(name)}</summary>${list}</details>`
}

/** A choice is named by the member that has one value only, such as `type: "fixed"`. */
function choiceName({ properties = {} }: ReadSchema, index: number): string {
  const constant = Object.entries(properties).find(([, { const: value }]) => value !== undefined)
  return constant ? `${constant[0]}: ${JSON.stringify(constant[1].const)}` : `Form ${index + 1}`
}

/** A type in short: objects without a name are `object`, and named shapes link to their pages. */
export function typeHtml(schema: ReadSchema, shapes: Shapes): string {
  const short = typeText(schema, (inner) => (inner.properties ? 'object' : undefined))
  return escapeHtml(short).replace(/\b[A-Z]\w+\b/g, (name) =>
    shapes.has(name) ? `<a href="/docs/shapes/${name}">${name}</a>` : name,
  )
}

const about = (schema: ReadSchema): string => {
  const parts = [schema.description ?? '', limits(schema)].filter(Boolean)
  return parts.length > 0 ? `<p>${parts.map((part) => marked(part)).join(' ')}</p>` : ''
}

/** The limits of a value that its type does not show. */
function limits({ minimum, exclusiveMinimum, maximum, minLength, maxLength, default: preset }: ReadSchema): string {
  return [
    minimum !== undefined && `At least ${minimum}.`,
    exclusiveMinimum !== undefined && `Above ${exclusiveMinimum}.`,
    maximum !== undefined && `At most ${maximum}.`,
    minLength !== undefined && minLength > 1 && `At least ${minLength} characters.`,
    maxLength !== undefined && `At most ${maxLength} characters.`,
    preset !== undefined && `Default: \`${JSON.stringify(preset)}\`.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Text with the two marks that descriptions have: code, and line breaks. */
export const marked = (text: string): string =>
  escapeHtml(text)
    .replaceAll('  \n', '<br>')
    .replace(/`([^`]*)`/g, '<code>$1</code>')

/** Sample values by the name of the member, for the types that say too little. */
const samplesByName: readonly (readonly [name: RegExp, value: unknown])[] = [
  [/email$/i, 'ada@example.com'],
  [/password$/i, 'correct horse battery'],
  [/country$/i, 'DE'],
  [/currency$/i, 'eur'],
  [/slug$/i, 'northwind'],
  [/url$|^redirect/i, 'https://example.com/welcome'],
  [/^(?:name|customer_name)$/i, 'Ada Lovelace'],
  [/(?:^|_)ip/i, '203.0.113.7'],
  [/amount$/i, 1900],
  [/^limit$/, 10],
  [/_?id$/i, 'b3f0c9d2-5a74-4e0e-9a51-6f2f0d8c7e11'],
]

const samplesByFormat: Readonly<Record<string, string>> = {
  'date-time': '2027-01-31T12:00:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/welcome',
  uuid: 'b3f0c9d2-5a74-4e0e-9a51-6f2f0d8c7e11',
}

/** Members that a sample shows where none is required: the first one that the object has. */
const telling = ['products', 'productId', 'name', 'customer_email', 'email', 'metadata', 'scopes', 'description']

/** A sample of a value. A body holds what is required; an answer holds every member, down to a depth. */
export function sampleOf(schema: ReadSchema, shapes: Shapes, io: 'input' | 'output', name = '', depth = 0): unknown {
  const inner = (given: ReadSchema, key = name) => sampleOf(given, shapes, io, key, depth + 1)
  if (schema.$ref) return depth > 3 ? {} : inner(shapes.get(shapeName(schema.$ref)) ?? {})
  if ('const' in schema) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null')
  if (choice) return inner(choice)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((each) => inner(each)))
  if (schema.type === 'array') return depth > 3 ? [] : [inner(schema.items ?? {})]
  if (schema.properties) {
    const { properties, required = [] } = schema
    const needed = required.length > 0 ? required : telling.filter((key) => key in properties).slice(0, 1)
    const shown = Object.entries(properties).filter(([key]) => io === 'output' || needed.includes(key))
    return Object.fromEntries(depth > 4 ? [] : shown.map(([key, member]) => [key, inner(member, key)]))
  }
  if (schema.type === 'object') return {}
  if (schema.type === 'boolean') return true
  const format = schema.format === undefined ? undefined : samplesByFormat[schema.format]
  if (format !== undefined) return format
  const named = samplesByName.find(([pattern]) => pattern.test(name))?.[1]
  if (schema.type === 'integer' || schema.type === 'number')
    return typeof named === 'number' ? named : (schema.minimum ?? 1)
  return typeof named === 'string' ? named : 'text'
}
