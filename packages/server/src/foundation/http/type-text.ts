/** A JSON schema as far as readers of it look into it. */
export type ReadSchema = {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly $ref?: string
  readonly anyOf?: readonly ReadSchema[]
  readonly oneOf?: readonly ReadSchema[]
  readonly allOf?: readonly ReadSchema[]
  readonly items?: ReadSchema
  readonly prefixItems?: readonly ReadSchema[]
  readonly properties?: Readonly<Record<string, ReadSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: ReadSchema | false
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

/** A type as TypeScript would write it. `nameOf` names shapes that are shown by their name. */
export function typeText(
  schema: ReadSchema,
  nameOf: (schema: ReadSchema) => string | undefined = () => undefined,
): string {
  const text = (inner: ReadSchema) => typeText(inner, nameOf)
  const name = nameOf(schema)
  if (name !== undefined) return name
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.$ref) return shapeName(schema.$ref)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(text))].join(' | ')
  if (schema.allOf) return schema.allOf.map((each) => inBrackets(text(each))).join(' & ')
  if (schema.prefixItems) return `[${schema.prefixItems.map(text).join(', ')}]`
  if (schema.type === 'array') {
    const item = text(schema.items ?? {})
    return item.includes(' ') ? `(${item})[]` : `${item}[]`
  }
  if (schema.properties && (Object.keys(schema.properties).length > 0 || !schema.additionalProperties)) {
    const members = Object.entries(schema.properties).map(
      ([key, value]) => `${key}${schema.required?.includes(key) ? '' : '?'}: ${text(value)}`,
    )
    return `{ ${members.join(', ')} }`
  }
  if (schema.additionalProperties) return `Record<string, ${text(schema.additionalProperties)}>`
  if (schema.format === 'date-time') return 'Date-time'
  if (schema.type === undefined) return 'unknown'
  return [schema.type].flat().join(' | ').replace('integer', 'number')
}

/** The name of a shape that a schema refers to. */
export const shapeName = (ref: string): string => ref.split('/').at(-1) ?? ''

const inBrackets = (type: string): string => (type.includes(' | ') && !type.startsWith('{ ') ? `(${type})` : type)
