/**
 * The address that every call is made below, without a trailing slash.
 *
 * A `baseURL` that already has a path is taken as the whole address; otherwise the base path is put behind it.
 */
export function resolveBaseURL(baseURL: string | undefined, basePath: string, origin: string | undefined): string {
  const given = baseURL ?? origin
  if (!given) throw new Error('Could not get origin from request. Please provide a valid base URL.')

  const url = parseHttp(given)
  if (!url) throw new Error(`Invalid base URL: ${given}. Please provide a valid base URL.`)

  const path = url.pathname === '/' ? `/${basePath.replace(/^\/+/, '')}` : url.pathname
  return url.origin + path.replace(/\/+$/, '')
}

/** The address as a URL when it is one that a browser may be sent to or fetch from, else nothing. */
export function parseHttp(value: string, base?: string): URL | undefined {
  const url = URL.canParse(value, base) ? new URL(value, base) : undefined
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined
}
