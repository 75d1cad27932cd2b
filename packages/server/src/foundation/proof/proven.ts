/**
 * Returns a value that must exist. Throws if it is missing: the fact that guarantees it no longer holds.
 *
 * @param fact such as `orders are never deleted`
 */
export function proven<Value>(value: Value | null | undefined, fact: string): Value {
  if (value === null || value === undefined) throw new Error(`A value is missing, although ${fact}`)
  return value
}

/** The first of a list that is never empty. Throws with the fact if it is empty. */
export const firstOf = <Value>(values: readonly Value[], fact: string): Value => proven(values[0], fact)

/** The last of a list that is never empty. Throws with the fact if it is empty. */
export const lastOf = <Value>(values: readonly Value[], fact: string): Value => proven(values.at(-1), fact)

/** The names in a table that has only those of its type. */
export const namesOf = <Name extends string>(table: Readonly<Partial<Record<Name, unknown>>>): Name[] =>
  Object.keys(table) as Name[] // these tables are object literals

/** Whether a text is one of a table's names. */
export const isNameOf = <Name extends string>(table: Readonly<Record<Name, unknown>>, name: string): name is Name =>
  Object.hasOwn(table, name)

/** The error code that Node, a driver or a library set; undefined if there is none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** An unknown value's members by name; empty if it is not an object. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // any object has members

/** Iterates over the chunks of a body. */
export const chunksOf = (body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> =>
  body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array> // Node's streams are iterable; the DOM's type lacks it

/** Evicts the oldest entry of an in-memory map. */
export function forgetOldest<Key>(kept: Map<Key, unknown>): void {
  for (const key of kept.keys()) {
    kept.delete(key)
    return
  }
}
