import type { PageLocale } from '@tollgate/contract/pages'
import type { Config } from '../foundation/config/config.ts'
import { preferredLocale } from '../foundation/http/caller.ts'

/** The visitor's preferences, and the cookies that keep those from the URL. */
export type Preferences = {
  readonly locale: PageLocale
  readonly scheme: 'light' | 'dark' | undefined
  readonly cookies: readonly string[]
}

const schemes = ['light', 'dark', 'system'] as const

const year = 31_536_000

/**
 * The language comes from `?lang`, the cookie, then Accept-Language; the scheme from `?scheme`, its cookie, then the
 * system. Cookies keep the choices from the URL.
 */
export function preferencesOf(
  config: Config,
  locales: readonly PageLocale[],
  headers: Headers,
  query: URLSearchParams,
): Preferences {
  const chosenLocale = locales.find((locale) => locale === query.get('lang'))
  const preferred = chosenLocale ?? preferredLocale(headers)
  const chosenScheme = schemes.find((scheme) => scheme === query.get('scheme'))
  const kept = /(?:^|;\s*)tollgate_scheme=(\w+)/.exec(headers.get('cookie') ?? '')?.[1]
  const scheme = chosenScheme ?? kept
  return {
    locale: locales.includes(preferred) ? preferred : 'en',
    scheme: scheme === 'light' || scheme === 'dark' ? scheme : undefined,
    cookies: [
      ...(chosenLocale ? [plainCookie(config, 'tollgate_lang', chosenLocale, year)] : []),
      ...(chosenScheme
        ? [plainCookie(config, 'tollgate_scheme', chosenScheme, chosenScheme === 'system' ? 0 : year)]
        : []),
    ],
  }
}

/** A cookie of the pages alone, neither signed nor prefixed: it is not personal, or sealed. */
export const plainCookie = (
  { secureCookies }: Config,
  name: string,
  value: string,
  maxAge: number,
  scope = 'Path=/; HttpOnly',
): string => `${name}=${value}; Max-Age=${maxAge}; ${scope}; SameSite=Lax${secureCookies ? '; Secure' : ''}`
