import { camelKey, snakeKey } from '@tollgate/contract/billing'
import type { z } from 'zod'
import { fromWire, poisonedMaps, toWire, wirePath } from './wire-shape.ts'

/** An API's spelling of names on the wire. The rest of the server uses camelCase. */
export type Spelling = {
  /** The wire's spelling of a camelCase name. */
  key(name: string): string
  /** Reads a query; a repeated name becomes a list. */
  query(search: string): unknown
  /** The schema names the maps whose keys belong to the caller and stay unchanged. */
  decode(value: unknown, schema?: z.ZodType): unknown
  encode(value: unknown, schema?: z.ZodType): unknown
  /** The path of a member in the wire's spelling, for a refusal. */
  path(schema: z.ZodType, path: readonly PropertyKey[]): (string | number)[]
  /** Names of input maps with the key `__proto__`, which a schema would drop silently. */
  poisoned(schema: z.ZodType, value: unknown): string[]
}

const nothing = Object.freeze({})

/** The wire uses camelCase, too. */
export const camelCase: Spelling = {
  key: (name) => name,
  query: (search) => {
    if (search === '') return nothing
    const query: Record<string, string | string[]> = {}
    for (const [name, value] of new URLSearchParams(search)) {
      const before = Object.hasOwn(query, name) ? query[name] : undefined
      query[name] = before === undefined ? value : [before, value].flat()
    }
    return query
  },
  decode: (value) => value,
  encode: (value) => value,
  path: (_, path) => path.map((part) => (typeof part === 'number' ? part : String(part))),
  poisoned: () => [],
}

/** snake_case; `metadata[key]=value` in a query is a map. */
export const snakeCase: Spelling = {
  key: snakeKey,
  query: (search) => {
    if (search === '') return nothing
    const query: Record<string, string | string[]> = Object.create(null)
    const maps: Record<string, Record<string, string[]>> = Object.create(null)
    for (const [name, value] of new URLSearchParams(search)) {
      // The caller chooses the keys, brackets included; an empty key (`metadata[]`) is refused.
      const [, map, key] = /^([a-z_]+)\[(.*?)\]?$/s.exec(name) ?? []
      if (map !== undefined && key !== undefined) {
        const ours = maps[camelKey(map)] ?? Object.create(null)
        maps[camelKey(map)] = ours
        ours[key] = [...(ours[key] ?? []), value]
      } else if (!/[A-Z]/.test(name)) {
        const ours = camelKey(name)
        const before = query[ours]
        query[ours] = before === undefined ? value : [before, value].flat()
      }
    }
    return { ...query, ...maps }
  },
  decode: fromWire,
  encode: toWire,
  path: (schema, path) => wirePath(path, schema),
  poisoned: (schema, value) => poisonedMaps(value, schema),
}
