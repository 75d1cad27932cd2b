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

/** Reads headers on demand, because most calls need only a few. */
export function createCaller(ctx: Context, headers: HeaderReader, ipAddress: string, isServer = false): Caller {
  let cookies: CookieJar | undefined
  return {
    isServer,
    headers,
    ipAddress,
    get userAgent() {
      return headers.get('user-agent')?.slice(0, userAgentLimit) ?? null
    },
    get locale() {
      return preferredLocale(headers)
    },
    get cookies() {
      cookies ??= createCookieJar(headers.get('cookie'), ctx.config, ctx.secrets)
      return cookies
    },
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
