import type { Context } from '../context.ts'
import { type MailLocale, mailLocales } from '../mail/templates.ts'
import { type CookieJar, createCookieJar } from './cookies.ts'
import type { HeaderReader } from './request.ts'

/** The caller, as far as the request shows it. The session decides whether they are signed in. */
export type Caller = {
  readonly headers: HeaderReader
  /** Empty when unknown. */
  readonly ipAddress: string
  readonly userAgent: string | null
  /** The language of mails that the call causes. */
  readonly locale: MailLocale
  readonly cookies: CookieJar
  /** Server code that uses `createTollgate().api`: it may act for a user by id. */
  readonly isServer: boolean
}

/** The longest stored user agent, in characters. */
const userAgentLimit = 512

export const createCaller = (ctx: Context, headers: HeaderReader, ipAddress: string, isServer = false): Caller =>
  new HeaderCaller(ctx, headers, ipAddress, isServer)

/**
 * Reads headers on demand, because most calls need only a few. A class, because V8 gives each object literal with
 * getters a hidden class of its own, which keeps the whole request in memory until the next full collection.
 */
class HeaderCaller implements Caller {
  readonly headers: HeaderReader
  readonly ipAddress: string
  readonly isServer: boolean
  readonly #ctx: Context
  #cookies: CookieJar | undefined

  constructor(ctx: Context, headers: HeaderReader, ipAddress: string, isServer: boolean) {
    this.headers = headers
    this.ipAddress = ipAddress
    this.isServer = isServer
    this.#ctx = ctx
  }

  get userAgent(): string | null {
    return this.headers.get('user-agent')?.slice(0, userAgentLimit) ?? null
  }

  get locale(): MailLocale {
    return preferredLocale(this.headers)
  }

  get cookies(): CookieJar {
    const { config, secrets } = this.#ctx
    this.#cookies ??= createCookieJar(this.headers.get('cookie'), config, secrets)
    return this.#cookies
  }
}

/** The language cookie of the hosted pages, else the best of Accept-Language, else English. */
export function preferredLocale(headers: HeaderReader): MailLocale {
  const chosen = /(?:^|;\s*)tollgate_lang=([a-z]{2})/.exec(headers.get('cookie') ?? '')?.[1]
  const accepted = (headers.get('accept-language') ?? '')
    .slice(0, 200)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';')
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
      return { language: tag.split('-')[0] ?? '', quality: quality ? Number(quality.trim().slice(2)) || 0 : 1 }
    })
    .sort((a, b) => b.quality - a.quality)
    .map(({ language }) => language)
  return (
    mailLocales.find((locale) => locale === chosen) ??
    accepted.flatMap((each) => mailLocales.find((locale) => locale === each) ?? [])[0] ??
    'en'
  )
}
