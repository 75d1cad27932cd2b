import { z } from 'zod'
import { type ReadSchema, typeText as textOf } from '../../packages/server/src/foundation/http/type-text.ts'

export type JsonSchema = ReadSchema

/** What goes in or comes out, as JSON schema; what has no JSON form (a function) becomes an empty one. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema // an object of JSON Schema, as zod promises
}

/** A type as TypeScript would write it. `names` are shapes that are shown by their name. */
export const typeText = (schema: JsonSchema, names: ReadonlyMap<string, string> = new Map()): string =>
  textOf(schema, (inner) => names.get(JSON.stringify(plain(inner))))

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
