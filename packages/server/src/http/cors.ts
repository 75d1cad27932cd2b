import type { Origins } from './origin.ts'

/** Lets pages of trusted origins, and no others, read our answers with their cookies. */
export function corsHeaders(origins: Origins, headers: Headers): Record<string, string> {
  const origin = headers.get('origin')
  if (origin === null || !origins.isTrusted(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'etag, retry-after, x-retry-after, x-request-id, set-auth-jwt',
    vary: 'Origin',
  }
}

/** The browser's question before a call from another origin; a stranger gets no permission. */
export function preflightAnswer(origins: Origins, headers: Headers): Response {
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
