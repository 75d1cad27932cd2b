import type { AnyCall } from '@tollgate/contract/calls'

/** The call that a request matches. */
export type Found = {
  readonly name: string
  readonly call: AnyCall
  /** The decoded path parameters. */
  readonly params: Readonly<Record<string, string>>
}

/** Finds the call of a decoded path; `undefined` if none matches. */
export type Router = (method: string, path: string) => Found | undefined

const noParams = Object.freeze({})

/**
 * Finds fixed paths in a map, and paths with parameters by pattern. Where two paths first differ, a fixed word wins
 * over a parameter: `/customers/external/state` is the customer that the seller calls `state`.
 */
export function createRouter(
  basePath: string,
  calls: readonly (readonly [string, AnyCall])[],
  trailingSlashes: boolean,
): Router {
  const fixed = new Map<string, Found>()
  const patterns: {
    readonly method: string
    readonly pattern: RegExp
    readonly name: string
    readonly call: AnyCall
  }[] = []
  for (const [name, call] of inOrder(calls)) {
    const path = basePath + call.path
    if (path.includes(':'))
      patterns.push({ method: call.method, pattern: patternOf(path, trailingSlashes), name, call })
    else {
      const found = { name, call, params: noParams }
      fixed.set(`${call.method} ${path}`, found)
      if (trailingSlashes) fixed.set(`${call.method} ${path}/`, found)
    }
  }
  return (method, path) => {
    const found = fixed.get(`${method} ${path}`)
    if (found) return found
    for (const each of patterns) {
      const match = each.method === method ? each.pattern.exec(path) : null
      if (match) return { name: each.name, call: each.call, params: decoded(match.groups) }
    }
    return undefined
  }
}

/** Calls in the order of their precedence. */
export const inOrder = <Row extends AnyCall>(calls: readonly (readonly [string, Row])[]): (readonly [string, Row])[] =>
  [...calls].sort(([, a], [, b]) => (orderKey(a) < orderKey(b) ? -1 : 1))
const orderKey = ({ path }: AnyCall): string => path.replace(/:\w+/g, '~')

/** Converts a path such as `/v1/products/:id` to the source of a pattern. */
export const asPattern = (path: string): string =>
  path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)')

export const patternOf = (path: string, trailingSlashes: boolean): RegExp =>
  new RegExp(`^${asPattern(path)}${trailingSlashes ? '/?' : ''}$`)

function decoded(groups: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodedOnce(value)]))
}

/** Decodes a path or a part of one; an escape that does not decode stays as it is. */
export function decodedOnce(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value.replace(/(?:%[0-9A-Fa-f]{2})+/g, (part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })
  }
}
