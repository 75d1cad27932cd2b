import type { Origins } from './origin.ts'
import type { HeaderReader } from './request.ts'

/** Lets pages of trusted origins, and no others, read the answers with cookies. */
export function corsHeaders(origins: Origins, headers: HeaderReader): Record<string, string> {
  const origin = headers.get('origin')
  if (origin === null || !origins.isTrusted(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'etag, retry-after, x-retry-after, x-request-id, set-auth-jwt',
    vary: 'Origin',
  }
}

/** Answers a preflight request; an untrusted origin gets no permission. */
export function preflightAnswer(origins: Origins, headers: HeaderReader): Response {
  const origin = headers.get('origin')
  if (origin === null || !origins.isTrusted(origin)) return new Response(null, { status: 404 })
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'content-type, x-captcha-response',
      'access-control-max-age': '600',
    },
  })
}
