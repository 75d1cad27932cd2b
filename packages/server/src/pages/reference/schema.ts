import { escapeHtml } from '../../foundation/html.ts'
import { type ReadSchema, typeText } from '../../foundation/http/type-text.ts'

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
  return list && `<details><summary>Properties of ${escapeHtml(name)}</summary>${list}</details>`
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
