import { z } from 'zod'

/** A JSON schema as far as the reference looks into it. */
export type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly $ref?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | false
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

/** What goes in or comes out, as JSON schema; what has no JSON form (a function) becomes an empty one. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema // an object of JSON Schema, as zod promises
}

/** A type as TypeScript would write it. `names` are shapes that are shown by their name. */
export function typeText(schema: JsonSchema, names: ReadonlyMap<string, string> = new Map()): string {
  const name = names.get(JSON.stringify(plain(schema)))
  if (name !== undefined) return name
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map((each) => typeText(each, names)))].join(' | ')
  if (schema.allOf) return schema.allOf.map((each) => inBrackets(typeText(each, names))).join(' & ')
  if (schema.prefixItems) return `[${schema.prefixItems.map((each) => typeText(each, names)).join(', ')}]`
  if (schema.type === 'array') {
    const item = typeText(schema.items ?? {}, names)
    return item.includes(' ') ? `(${item})[]` : `${item}[]`
  }
  if (schema.properties && (Object.keys(schema.properties).length > 0 || !schema.additionalProperties)) {
    const members = Object.entries(schema.properties).map(
      ([key, value]) => `${key}${schema.required?.includes(key) ? '' : '?'}: ${typeText(value, names)}`,
    )
    return `{ ${members.join(', ')} }`
  }
  if (schema.additionalProperties) return `Record<string, ${typeText(schema.additionalProperties, names)}>`
  if (schema.format === 'date-time') return 'Date-time'
  if (schema.type === undefined) return 'unknown'
  return [schema.type].flat().join(' | ').replace('integer', 'number')
}

const inBrackets = (type: string): string => (type.includes(' | ') && !type.startsWith('{ ') ? `(${type})` : type)

/** Without what says nothing about the shape, so that equal shapes look equal. */
export function plain(schema: JsonSchema): JsonSchema {
  const { description: _, ...rest } = schema
  const { $schema: __, ...shape } = rest as JsonSchema & { $schema?: unknown } // zod's mark of the dialect
  return shape
}

/** A cell of a Markdown table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** What stands above every page that is made here. */
export const madeBy = (source: string): string =>
  `<!-- Made by \`node scripts/docs.mjs\` from ${source}: change that, and run it again. -->`
