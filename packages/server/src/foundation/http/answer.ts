import { toText } from '../answer-text.ts'
import { isDatabaseUnavailable } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import type { Logger } from '../log.ts'

/** An API's answer. Over node:http the server sends it without making a `Response`. */
export type HttpAnswer = {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Complete Set-Cookie values. */
  readonly cookies?: readonly string[]
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
}

/** On every answer over https: browsers then use https only (RFC 6797). Over http they ignore it. */
export const transportHeaders = ({ baseURL }: { baseURL: URL }): Record<string, string> =>
  baseURL.protocol === 'https:' ? { 'strict-transport-security': 'max-age=31536000' } : {}

/** On every API answer: it is private to its caller, so caches must not store it. */
export const apiHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

const jsonHeaders = { 'content-type': 'application/json', ...apiHeaders } as const

/** For an answer that any cache may store for this many seconds. */
export const publicHeaders = (seconds: number) => ({ 'cache-control': `public, max-age=${seconds}` })

/** A JSON answer, without `undefined` members; `encode` gives it the API's spelling. */
export const jsonAnswer = (
  body: unknown,
  status = 200,
  headers?: Readonly<Record<string, string>>,
  encode?: (body: unknown) => unknown,
): HttpAnswer => ({
  status,
  headers: headers ? { ...jsonHeaders, ...headers } : jsonHeaders,
  body: toText(body, encode),
})

/** The same for a framework. */
export const jsonResponse = (...given: Parameters<typeof jsonAnswer>): Response => toResponse(jsonAnswer(...given))

/** Converts an answer to a Fetch API response. */
export function toResponse(answer: HttpAnswer | Response): Response {
  if (answer instanceof Response) return answer
  const { status, headers, cookies = [], body = null } = answer
  const response = new Response(body, { status, headers })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** A refusal or a server fault as `{ code, message }`. */
export const errorAnswer = (error: TollgateError): HttpAnswer =>
  jsonAnswer({ code: error.code, message: error.message }, error.row.status, retryHeaders(error))

export function retryHeaders({ retryAfter }: TollgateError): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter), 'x-retry-after': String(retryAfter) }
}

/** Converts any thrown value to a refusal. An unknown error is logged as a fault, and the caller gets no details. */
export function toTollgateError(cause: unknown, log: Logger, details: Record<string, unknown>): TollgateError {
  if (cause instanceof TollgateError) {
    if (cause.row.status === 500) log.error({ ...details, err: cause }, cause.message)
    return cause
  }
  if (isDatabaseUnavailable(cause)) {
    log.error({ ...details, err: cause }, 'Database unavailable')
    return new TollgateError('SERVICE_UNAVAILABLE', { cause, retryAfter: 5 })
  }
  log.error({ ...details, err: cause }, 'Unexpected failure')
  return new TollgateError('INTERNAL_SERVER_ERROR', { cause })
}
