import { toText } from '../answer-text.ts'
import { isDatabaseUnavailable } from '../db/database.ts'
import { TollgateError } from '../error.ts'
import type { Logger } from '../log.ts'

/** On every answer over https: browsers never come another way from then on (RFC 6797). Over http they ignore it. */
export const transportHeaders = ({ baseURL }: { baseURL: URL }): Record<string, string> =>
  baseURL.protocol === 'https:' ? { 'strict-transport-security': 'max-age=31536000' } : {}

/** On every answer of the API: what it says is for its caller alone, and for no cache. */
export const apiHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** For an answer that anybody may keep for so many seconds. */
export const publicHeaders = (seconds: number) => ({ 'cache-control': `public, max-age=${seconds}` })

/** A JSON answer; `undefined` members are left out. */
export function jsonAnswer(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return textAnswer(toText(body), {
    status,
    headers: { 'content-type': 'application/json', ...apiHeaders, ...headers },
  })
}

const texts = new WeakMap<Response, string>()

/**
 * An answer whose text is kept beside it: a stream around it would cost more than all else about a short answer. Whoever
 * sends it asks `textOf`; whoever hands it to others gives it `withBody`.
 */
function textAnswer(text: string, init: ResponseInit): Response {
  const answer = new Response(null, init)
  texts.set(answer, text)
  return answer
}

/** The text of an answer that has no body yet. */
export const textOf = (answer: Response): string | undefined => texts.get(answer)

/** The answer as any framework knows it. */
export function withBody(answer: Response): Response {
  const text = textOf(answer)
  return text === undefined ? answer : new Response(text, answer)
}

/** The one place where a refusal or a fault becomes `{ code, message }`. */
export function errorAnswer(error: TollgateError): Response {
  return jsonAnswer({ code: error.code, message: error.message }, error.row.status, retryHeaders(error))
}

export function retryHeaders({ retryAfter }: TollgateError): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter), 'x-retry-after': String(retryAfter) }
}

/** Any thrown value as a refusal: what is not in the table is a fault, logged, and tells the caller nothing. */
export function toTollgateError(cause: unknown, log: Logger, details: Record<string, unknown>): TollgateError {
  if (cause instanceof TollgateError) {
    if (cause.row.status === 500) log.error({ ...details, err: cause }, cause.message)
    return cause
  }
  if (isDatabaseUnavailable(cause)) {
    log.error({ ...details, err: cause }, 'database unavailable')
    return new TollgateError('SERVICE_UNAVAILABLE', { cause, retryAfter: 5 })
  }
  log.error({ ...details, err: cause }, 'unexpected failure')
  return new TollgateError('INTERNAL_SERVER_ERROR', { cause })
}
