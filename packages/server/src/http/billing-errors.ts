import type { TollgateError } from '../error.ts'
import { jsonAnswer, retryHeaders } from './answer.ts'

/** The one place where a refusal becomes what the clients of the billing API know (contract, section 1). */
export function billingErrorAnswer(error: TollgateError): Response {
  const { status } = error.row
  const challenge: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer realm="tollgate"' } : {}
  return jsonAnswer({ error: wireCode(error.code), detail: error.issues ?? error.message }, status, {
    ...challenge,
    ...retryHeaders(error),
  })
}

/** Refusals of billing have a name of their own; those of every API are called by theirs, in the same style. */
export const wireCode = (code: string): string =>
  /[a-z]/.test(code) ? code : code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
