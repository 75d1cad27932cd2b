import { pathOf } from '../foundation/http/request.ts'
import { decodedOnce } from '../foundation/http/router.ts'

/** A path pattern, and its parameters that logs hide. */
export type SecretPath = { readonly path: string; readonly secrets: readonly string[] }

/**
 * Makes the path of a request safe for logs: without the query and the parameters that are `secrets`. The part after
 * such a parameter is kept only if a known path ends in it, because an unescaped slash may be part of a secret.
 */
export function createLoggedPath(paths: readonly SecretPath[]): (target: string) => string {
  const secretPaths = paths.flatMap(starred).map((path) => path.split('*'))
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

/** The path with its secret written `*`; none without a secret. */
const starred = ({ path, secrets }: SecretPath): string[] => secrets.map((name) => path.replace(`:${name}`, '*'))

/** Each other parameter matches one segment. */
const patternOf = (path: string): string =>
  path
    .split(/:\w+/)
    .map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .join('[^/]+')
