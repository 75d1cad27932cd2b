/**
 * Converts between the wire's snake_case and our camelCase, for browsers, which have no schemas. The server converts by
 * schema (`foundation/http/wire-shape.ts`).
 */

/** camelCase names below which keys belong to the caller. A test compares them with the schemas. */
export const mapKeys: ReadonlySet<string> = new Set([
  'metadata',
  'customerMetadata',
  'customFieldData',
  'paymentProcessorMetadata',
  'headers',
  'responseHeaders',
])

const cache = new Map<string, string>()
/** Limited to more names than the contract has: callers can invent any number. */
const cacheLimit = 5000

function kept(key: string, make: (key: string) => string): string {
  let known = cache.get(key)
  if (known === undefined) {
    known = make(key)
    if (cache.size < cacheLimit) cache.set(key, known)
  }
  return known
}

/** Digits keep their place in `line1` and `sha256`. */
export const snakeKey = (key: string): string =>
  /[A-Z]/.test(key) ? kept(key, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) : key
export const camelKey = (key: string): string =>
  key.includes('_')
    ? kept(key, (name) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()))
    : key

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** Outgoing: keys in snake_case. */
export function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire)
  if (typeof value !== 'object' || value === null) return value
  const wire: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) wire[snakeKey(key)] = mapKeys.has(key) ? member : toWire(member)
  return wire
}

/** Incoming: keys in camelCase. Drops a key in another spelling, because the contract has none. */
export function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire)
  if (typeof value !== 'object' || value === null) return value
  const ours: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value as Record<string, Json>)) {
    if (/[A-Z]/.test(key) || key === '__proto__') continue
    const name = camelKey(key)
    ours[name] = mapKeys.has(name) ? member : fromWire(member)
  }
  return ours
}
