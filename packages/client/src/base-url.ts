/**
 * The address below which all calls are made, without a trailing slash. A `baseURL` with a path is the whole address;
 * otherwise the base path is appended.
 */
export function resolveBaseURL(baseURL: string | undefined, basePath: string, origin: string | undefined): string {
  const given = baseURL ?? origin
  if (!given) throw new Error('Could not get origin from request. Please provide a valid base URL.')

  const url = parseHttp(given)
  if (!url) throw new Error(`Invalid base URL: ${given}. Please provide a valid base URL.`)

  const path = url.pathname === '/' ? `/${basePath.replace(/^\/+/, '')}` : url.pathname
  return url.origin + path.replace(/\/+$/, '')
}

/** Returns the address as a URL if a browser may be redirected to it or fetch it, otherwise undefined. */
export function parseHttp(value: string, base?: string): URL | undefined {
  const url = URL.canParse(value, base) ? new URL(value, base) : undefined
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined
}
