/**
 * The wire's spelling (snake_case) and ours (camelCase). Keys below an opaque key belong to whoever wrote them and stay
 * as they are.
 */

/** In our spelling. */
const opaqueKeys: ReadonlySet<string> = new Set([
  'metadata',
  'customerMetadata',
  'customFieldData',
  'paymentProcessorMetadata',
  'archived',
  'headers',
  'responseHeaders',
])

/** Whether the keys below this one, in our spelling, belong to whoever wrote them. */
export const isOpaqueKey = (key: string): boolean => opaqueKeys.has(key)

const cache = new Map<string, string>()
/** More names than the contract has are somebody's invention, and are not kept. */
const cacheLimit = 5000

function kept(key: string, make: (key: string) => string): string {
  let known = cache.get(key)
  if (known === undefined) {
    known = make(key)
    if (cache.size < cacheLimit) cache.set(key, known)
  }
  return known
}

/** `line1` and `sha256` keep their digits where they are. */
export const snakeKey = (key: string): string =>
  /[A-Z]/.test(key) ? kept(key, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) : key
export const camelKey = (key: string): string =>
  key.includes('_')
    ? kept(key, (name) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()))
    : key

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** What of ours goes out: keys in snake_case. */
export function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire)
  if (typeof value !== 'object' || value === null) return value
  const wire: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) wire[snakeKey(key)] = opaqueKeys.has(key) ? member : toWire(member)
  return wire
}

/** What comes in: keys in camelCase. A key that is not in the wire's spelling is none of the contract's, and is dropped. */
export function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire)
  if (typeof value !== 'object' || value === null) return value
  const ours: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value as Record<string, Json>)) {
    if (/[A-Z]/.test(key) || key === '__proto__') continue
    const name = camelKey(key)
    ours[name] = opaqueKeys.has(name) ? member : fromWire(member)
  }
  return ours
}

/** Where something is in a body, in the wire's spelling: opaque keys and what is below them stay as they are. */
export function wirePath(path: readonly PropertyKey[]): (string | number)[] {
  let isOpaque = false
  return path.map((part) => {
    if (typeof part === 'number') return part
    const name = String(part)
    const written = isOpaque ? name : snakeKey(name)
    isOpaque ||= opaqueKeys.has(name)
    return written
  })
}
