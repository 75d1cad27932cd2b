import type { AnyCall } from '@tollgate/contract/calls'
import { pathOf } from '../foundation/http/request.ts'
import { decodedOnce } from '../foundation/http/router.ts'

/** The calls of an API, and its base path. */
type Place = { readonly basePath: string; readonly calls: Readonly<Record<string, Pick<AnyCall, 'path' | 'secrets'>>> }

/** Pages and files with a credential in their path, written `*` here. */
const secretPlaces = ['/join/*', '/checkout/*', '/checkout/*/confirmation', '/buy/*', '/documents/:id/*']

/**
 * Makes the path of a request safe for logs: without the query and the parameters that calls name as `secrets`. The part
 * after such a parameter is kept only if a known path ends in it, because an unescaped slash may be part of a secret.
 */
export function createLoggedPath(places: readonly Place[]): (target: string) => string {
  const calls = places.flatMap(pathsOf)
  const secretPaths = [...calls, ...secretPlaces].map((path) => path.split('*'))
  const prefixes = new Set(secretPaths.map(([prefix = '']) => patternOf(prefix)))
  const suffixes = [...new Set(secretPaths.flatMap(([, suffix]) => suffix || []))]
  const secretPath = new RegExp(`^(${[...prefixes].join('|')})(.+)$`, 'i')
  return (target) => {
    const path = pathOf(target)
    const [, prefix, rest] = secretPath.exec(decodedOnce(path)) ?? []
    if (prefix === undefined || rest === undefined) return path
    return `${prefix}[redacted]${suffixes.find((suffix) => rest.endsWith(suffix)) ?? ''}`
  }
}

/** The paths of calls with secrets, each secret written `*`. */
const pathsOf = ({ basePath, calls }: Place): string[] =>
  Object.values(calls).flatMap(({ path, secrets = [] }) =>
    secrets.map((name) => basePath + path.replace(`:${name}`, '*')),
  )

/** Each other parameter matches one segment. */
const patternOf = (path: string): string =>
  path
    .split(/:\w+/)
    .map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .join('[^/]+')
