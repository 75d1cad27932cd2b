import type { Config } from '../config/config.ts'
import type { Secrets } from '../token.ts'

/** Names and attributes of the server's cookies (auth contract, "Cookies"); made once at start. */
export type CookieNames = { readonly sessionToken: string; readonly sessionData: string; readonly dontRemember: string }

export function cookieNames(config: Config): CookieNames {
  const prefix = `${config.secureCookies ? '__Secure-' : ''}${config.advanced.cookiePrefix}.`
  return {
    sessionToken: `${prefix}session_token`,
    sessionData: `${prefix}session_data`,
    dontRemember: `${prefix}dont_remember`,
  }
}

/** The cookies of one request, and those that its answer sets. */
export type CookieJar = {
  get(name: string): string | undefined
  /** The value of a signed cookie; null if it is absent or its signature is invalid. */
  getSigned(name: string): string | null
  /** Sets a cookie. Without `maxAge` (seconds) it ends with the browser session. */
  set(name: string, value: string, maxAge: number | undefined): void
  setSigned(name: string, value: string, maxAge: number | undefined): void
  clear(name: string): void
  /** Complete Set-Cookie values, one per name; the last one set wins. */
  outgoing(): string[]
}

export const createCookieJar = (header: string | null, config: Config, secrets: Secrets): CookieJar =>
  new HeaderCookies(header, config, secrets)

class HeaderCookies implements CookieJar {
  readonly #header: string | null
  readonly #config: Config
  readonly #secrets: Secrets
  #incoming: Map<string, string> | undefined
  #outgoing: Map<string, string> | undefined

  constructor(header: string | null, config: Config, secrets: Secrets) {
    this.#header = header
    this.#config = config
    this.#secrets = secrets
  }

  get(name: string): string | undefined {
    this.#incoming ??= parseCookies(this.#header)
    return this.#incoming.get(name)
  }

  getSigned(name: string): string | null {
    const signed = this.get(name)
    return signed === undefined ? null : this.#secrets.unsign(signed)
  }

  set(name: string, value: string, maxAge: number | undefined): void {
    const ends = maxAge === undefined ? '' : `; Max-Age=${maxAge}`
    this.#outgoing ??= new Map()
    this.#outgoing.set(name, `${name}=${encodeURIComponent(value)}${ends}${cookieAttributes(this.#config)}`)
  }

  setSigned(name: string, value: string, maxAge: number | undefined): void {
    this.set(name, this.#secrets.sign(value), maxAge)
  }

  clear(name: string): void {
    this.set(name, '', 0)
  }

  outgoing(): string[] {
    return this.#outgoing ? [...this.#outgoing.values()] : []
  }
}

function cookieAttributes(config: Config): string {
  const { crossSubDomainCookies } = config.advanced
  const domain = crossSubDomainCookies?.enabled
    ? `; Domain=${crossSubDomainCookies.domain ?? config.baseURL.hostname}`
    : ''
  return `; Path=/; HttpOnly; SameSite=Lax${config.secureCookies ? '; Secure' : ''}${domain}`
}

/** RFC 6265, section 5.4: the first cookie of a name counts. A value that does not decode stays as it is. */
function parseCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals < 0) continue
    const name = pair.slice(0, equals).trim()
    if (!cookies.has(name)) cookies.set(name, decode(pair.slice(equals + 1).trim()))
  }
  return cookies
}

function decode(value: string): string {
  const bare = value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
  if (!bare.includes('%')) return bare
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare // not percent-encoded by this server: the signature check fails too
  }
}
