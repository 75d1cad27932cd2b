import { z } from 'zod'
import type { Spelling } from './spelling.ts'

/** The parts of a JSON schema that descriptions read. */
export type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly $ref?: string
}

/** Converts a schema to JSON Schema in its API's spelling. */
export type Describe = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema

/** The place of named shapes in the description. */
const place = '#/components/schemas/'

/**
 * Describes schemas. Named shapes go into `found`, and schemas refer to them. Answers allow further members, so that
 * clients tolerate new ones.
 */
export function createDescriber(
  { key }: Pick<Spelling, 'key'>,
  shapes: Readonly<Record<string, z.ZodType>>,
  found: Record<string, JsonSchema>,
): Describe {
  const metadata = z.registry<{ id?: string }>()
  for (const [id, schema] of Object.entries(shapes)) metadata.add(schema, { id })
  return (schema, io) => {
    const { $schema: _, $defs, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata })
    for (const [name, shape] of Object.entries($defs ?? {})) found[name] ??= written(shape, key)
    return written(made, key)
  }
}

const safe = Number.MAX_SAFE_INTEGER

type Key = Spelling['key']

/** Converts members to the wire's spelling, without parts that tell a reader nothing. */
function written(schema: object, key: Key): JsonSchema {
  const wire: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties') wire[name] = properties(value, key)
    // JSON Schema's own type of `required`.
    else if (name === 'required') wire[name] = (value as string[]).map(key)
    else if (name === '$ref') wire[name] = String(value).replace('#/$defs/', place)
    else if (name === 'pattern' && 'format' in schema) continue
    else if (name === 'additionalProperties' && value === false) continue
    else if (value === safe || value === -safe) continue
    else if (Array.isArray(value)) wire[name] = value.map((each) => (isSchema(each) ? written(each, key) : each))
    else wire[name] = isSchema(value) ? written(value, key) : value
  }
  return wire
}

const properties = (given: Readonly<Record<string, object>>, key: Key): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(given).map(([name, member]) => [key(name), written(member, key)]))

const isSchema = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
