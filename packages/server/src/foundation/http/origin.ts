import type { ErrorName } from '@tollgate/contract/calls'
import { type Config, isLoopback } from '../config/config.ts'
import { TollgateError } from '../error.ts'
import { membersOf } from '../proof/proven.ts'
import type { HeaderReader } from './request.ts'

/** Decides which origins may call with cookies and which redirect targets are safe (specification, section 5). */
export type Origins = {
  /** Whether an origin (`https://app.example`) is this server's own or trusted. */
  isTrusted(origin: string): boolean
  /** Whether a redirect target is safe: a path of this server, or a URL of a trusted origin. */
  isSafeTarget(target: string): boolean
}

export function createOrigins(config: Config, further: readonly string[] = []): Origins {
  const own = config.baseURL.origin
  const listed = [...config.trustedOrigins, ...further]
  const exact = new Set([own, ...listed.filter((entry) => !entry.includes('*')).map(originOf)])
  const patterns = listed.filter((entry) => entry.includes('*')).map(toPattern)
  const development = config.mode === 'development'

  const isTrusted = (origin: string): boolean => {
    if (exact.has(origin)) return origin !== 'null'
    if (!URL.canParse(origin)) return false
    const url = new URL(origin)
    if (url.origin !== origin || !/^https?:$/.test(url.protocol)) return false
    return (development && isLoopback(url.hostname)) || patterns.some((fits) => fits(url))
  }
  return { isTrusted, isSafeTarget: (target) => isSafePath(target, own) || isTrustedAddress(target, isTrusted) }
}

/** The configuration's origins, plus those of its function for this request. */
export async function originsOf(config: Config, fixed: Origins, request: Request | undefined): Promise<Origins> {
  if (!config.trustedOriginsOf || !request) return fixed
  return createOrigins(config, await config.trustedOriginsOf(request))
}

/**
 * Requires a trusted origin for a request that changes data and carries cookies. Without either header it passes (no
 * browser sends cookies so), unless `Sec-Fetch-Site` shows a browser.
 */
export function assertOrigin(origins: Origins, headers: HeaderReader): void {
  if (!headers.has('cookie')) return
  const origin = headers.get('origin') ?? refererOrigin(headers)
  if (origin === null) {
    const site = headers.get('sec-fetch-site')
    if (site === null || site === 'same-origin' || site === 'none') return
    throw new TollgateError('INVALID_ORIGIN')
  }
  if (!origins.isTrusted(origin)) throw new TollgateError('INVALID_ORIGIN')
}

/**
 * Requires that a posted form comes from a trusted page, with or without cookies. Otherwise another site could sign a
 * visitor in to an account of its choice.
 */
export function assertFormOrigin(origins: Origins, headers: HeaderReader): void {
  const origin = headers.get('origin')
  if (origin !== null ? origins.isTrusted(origin) : headers.get('sec-fetch-site') === 'same-origin') return
  throw new TollgateError('INVALID_ORIGIN')
}

/** Members that hold redirect targets, and the refusal of each (specification, section 5: the five messages). */
const targets = {
  callbackURL: 'INVALID_CALLBACK_URL',
  redirectTo: 'INVALID_REDIRECT_URL',
  errorCallbackURL: 'INVALID_ERROR_CALLBACK_URL',
  newUserCallbackURL: 'INVALID_NEW_USER_CALLBACK_URL',
} as const satisfies Record<string, ErrorName>

/** Refuses a body or query with an untrusted redirect target. */
export function assertTargets(origins: Origins, values: unknown): void {
  if (typeof values !== 'object' || values === null) return
  for (const [name, error] of Object.entries(targets)) {
    // A repeated parameter is a list.
    for (const value of [membersOf(values)[name]].flat())
      if (typeof value === 'string' && !origins.isSafeTarget(value)) throw new TollgateError(error)
  }
}

/** Only these characters, so that no parser reads a path where another reads a host. */
const safePath = /^\/(?![/\\]|%2f|%5c)[\w\-.+/@]*(?:\?[\w\-.+/=&%@]*)?$/i

function isSafePath(target: string, own: string): boolean {
  if (!safePath.test(target)) return false
  const [path = ''] = target.split('?')
  // Browsers resolve dot segments and doubled slashes: the checked path must be the visited one.
  if (/\/\.{1,2}(\/|$)|\/\//.test(path)) return false
  return new URL(target, own).origin === own
}

function isTrustedAddress(target: string, isTrusted: (origin: string) => boolean): boolean {
  // Parsers disagree on backslashes, blanks, control characters and non-Latin letters.
  if (!/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(target) || !URL.canParse(target)) return false
  const url = new URL(target)
  return url.username === '' && url.password === '' && isTrusted(url.origin)
}

function refererOrigin(headers: HeaderReader): string | null {
  const referer = headers.get('referer')
  return referer === null ? null : URL.canParse(referer) ? new URL(referer).origin : 'null'
}

/** An entry without a protocol (`localhost:5173`) would parse as the opaque origin, which sandboxed pages have. */
const originOf = (entry: string): string =>
  /^https?:\/\//i.test(entry) && URL.canParse(entry) ? new URL(entry).origin : entry

/** `https://*.example.com` or `*.example.com`: `*` matches anything but a slash, in host and port. */
function toPattern(entry: string): (url: URL) => boolean {
  const [, protocol, host = ''] = /^(?:(https?:)\/\/)?([^/]*)/.exec(entry) ?? []
  const parts = host.toLowerCase().split('*')
  return (url) => (!protocol || url.protocol === protocol) && fitsParts(url.host, parts)
}

/** Whether a text contains the parts in order, anchored at both ends, without an expression built from input. */
function fitsParts(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts
  if (!text.startsWith(first)) return false
  let position = first.length
  for (const [index, part] of rest.entries()) {
    const found = index === rest.length - 1 ? text.length - part.length : text.indexOf(part, position)
    if (found < position || !text.startsWith(part, found)) return false
    position = found + part.length
  }
  return position === text.length
}
