import type { Context } from '../context.ts'
import { type MailLocale, mailLocales } from '../mail/templates.ts'
import { type CookieJar, createCookieJar } from './cookies.ts'

/** Who makes a call, as far as the request shows it. Signed-in or not is the session's to say. */
export type Caller = {
  readonly headers: Headers
  /** Empty when unknown. */
  readonly ipAddress: string
  readonly userAgent: string | null
  /** The language of mails that the call causes. */
  readonly locale: MailLocale
  readonly cookies: CookieJar
  /** Server code that calls by `createTollgate().api`: it may act for a user by id. */
  readonly isServer: boolean
}

/** Longest user agent that is kept. */
const userAgentLimit = 512

export function createCaller(ctx: Context, headers: Headers, ipAddress: string, isServer = false): Caller {
  return {
    isServer,
    headers,
    ipAddress,
    userAgent: headers.get('user-agent')?.slice(0, userAgentLimit) ?? null,
    locale: preferredLocale(headers),
    cookies: createCookieJar(headers.get('cookie'), ctx.config, ctx.secrets),
  }
}

/** The language of the cookie that the hosted pages set, else the best of Accept-Language, else English. */
export function preferredLocale(headers: Headers): MailLocale {
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
