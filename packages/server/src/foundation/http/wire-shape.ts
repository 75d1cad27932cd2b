import { camelKey, snakeKey } from '@tollgate/contract/billing'
import type { z } from 'zod'

/** The wire spelling of the names in a value, derived from its schema. */
type Shape = {
  readonly members: ReadonlyMap<string, Member>
  /** The shape of a list's items or a map's values. */
  readonly items: Shape | undefined
  /** The keys belong to the caller and stay unchanged. */
  readonly isMap: boolean
}

/** A named member: its key on the wire, and its shape. */
type Member = { readonly key: string; readonly shape: Shape }

type Path = readonly PropertyKey[]

const plain: Shape = { members: new Map(), items: undefined, isMap: false }
/** Arbitrary caller data, whose names stay unchanged. */
const foreign: Shape = { ...plain, isMap: true }

const shapes = new WeakMap<z.core.$ZodType, Shape>()

function shapeOf(schema: z.core.$ZodType | undefined): Shape {
  if (!schema) return plain
  const known = shapes.get(schema)
  if (known) return known
  // A schema may contain itself: the inner occurrence counts as plain.
  shapes.set(schema, plain)
  const shape = readShape(schema)
  shapes.set(schema, shape)
  return shape
}

const memberOf = (name: string, schema: z.core.$ZodType): Member => ({ key: snakeKey(name), shape: shapeOf(schema) })

/** A wrapper has the shape of its inner schema; a union has the shapes of all variants. */
function readShape(schema: z.core.$ZodType): Shape {
  const { def } = (schema as z.core.$ZodTypes)._zod // every schema here is one of zod's own kinds
  switch (def.type) {
    case 'unknown':
      return foreign
    case 'record':
      return { ...plain, isMap: true, items: shapeOf(def.valueType) }
    case 'object':
      return {
        ...plain,
        members: new Map(Object.entries(def.shape).map(([name, each]) => [name, memberOf(name, each)])),
      }
    case 'array':
      return { ...plain, items: shapeOf(def.element) }
    case 'tuple':
      return { ...plain, items: def.items.map(shapeOf).reduce(joined, plain) }
    case 'union':
      return def.options.map(shapeOf).reduce(joined, plain)
    case 'intersection':
      return joined(shapeOf(def.left), shapeOf(def.right))
    case 'pipe':
      return joined(shapeOf(def.in), shapeOf(def.out))
    case 'lazy':
      return shapeOf(def.getter())
    default:
      return 'innerType' in def ? shapeOf(def.innerType) : plain
  }
}

function joined(a: Shape, b: Shape): Shape {
  const members = new Map(a.members)
  for (const [name, { key, shape }] of b.members)
    members.set(name, { key, shape: joined(members.get(name)?.shape ?? plain, shape) })
  const items = a.items && b.items ? joined(a.items, b.items) : (a.items ?? b.items)
  return { members, items, isMap: a.isMap || b.isMap }
}

/** Converts a camelCase value to the wire's spelling. */
export const toWire = (value: unknown, schema?: z.ZodType): unknown => encode(value, shapeOf(schema))

function encode(value: unknown, shape: Shape): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => encode(each, shape.items ?? plain))
  if (shape.isMap) return withValues(value, shape.items, encode)
  const wire: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const known = shape.members.get(name)
    const member: unknown = value[name as keyof typeof value] // one of its own keys
    wire[known?.key ?? snakeKey(name)] = encode(member, known?.shape ?? plain)
  }
  return wire
}

/** Keeps a map's keys. A map whose values hold no contract names is returned as it is. */
const withValues = (
  map: object,
  values: Shape | undefined,
  convert: (value: unknown, shape: Shape) => unknown,
): object =>
  values && (values.items || values.members.size > 0)
    ? Object.fromEntries(Object.entries(map).map(([key, value]) => [key, convert(value, values)]))
    : map

/** Converts a wire value to camelCase. Keys in any other spelling are not in the contract, and are dropped. */
export const fromWire = (value: unknown, schema?: z.ZodType): unknown => decode(value, shapeOf(schema))

function decode(value: unknown, shape: Shape): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => decode(each, shape.items ?? plain))
  if (shape.isMap) return withValues(value, shape.items, decode)
  const ours: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (/[A-Z]/.test(key) || key === '__proto__') continue
    const name = camelKey(key)
    ours[name] = decode(member, shape.members.get(name)?.shape ?? plain)
  }
  return ours
}

/** A path within a value, in the wire's spelling. */
export function wirePath(path: Path, schema: z.ZodType): (string | number)[] {
  let shape: Shape = shapeOf(schema)
  return path.map((part) => {
    if (typeof part === 'number') {
      shape = shape.items ?? plain
      return part
    }
    const name = String(part)
    if (shape.isMap) {
      shape = shape.items ?? foreign
      return name
    }
    shape = shape.members.get(name)?.shape ?? plain
    return snakeKey(name)
  })
}

/** The names of an object's maps with the key `__proto__`, which their schema would drop silently. */
export function poisonedMaps(value: unknown, schema: z.ZodType): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { members } = shapeOf(schema)
  return Object.entries(value).flatMap(([name, member]) =>
    members.get(name)?.shape.isMap &&
    typeof member === 'object' &&
    member !== null &&
    Object.hasOwn(member, '__proto__')
      ? [name]
      : [],
  )
}

/** The names of all maps in a schema, at any depth, whose keys belong to the caller. */
export function mapNames(schema: z.ZodType): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (shape: Shape): void => {
    if (shape.items) look(shape.items)
    for (const [name, member] of shape.members) {
      if (member.shape.isMap) found.add(name)
      look(member.shape)
    }
  }
  look(shapeOf(schema))
  return found
}
