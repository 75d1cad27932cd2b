import type { Context } from '../../foundation/context.ts'
import type { Caller } from '../../foundation/http/handler.ts'

/**
 * Tells the browser what it has just done: a page says "your address is confirmed" only to a browser with this cookie,
 * not to a visitor who merely opens the page. It grants nothing.
 */
export type DoneSign = {
  readonly done: 'verification-sent' | 'email-verified' | 'email-changed' | 'account-deleted'
  /** The normalised address in question; empty for a deleted account. */
  readonly email: string
}

const cookie = 'tollgate_done'
/** Seconds: long enough to read the page, and to read it again in another language. */
const believedFor = 600

/** Our own pages that such a call leads to. Applications with pages of their own get no cookie. */
const readers =
  /^\/(?:verify-email|account-deleted|account\/email-changed|(?:accept-invitation|join|org)\/[^?]*)(?:\?|$)/

/**
 * Sets the cookie when `callbackURL` leads to one of our pages. Sealed rather than signed: a signature would fit other
 * cookies too, and the address must stay unreadable.
 */
export function leaveSign(
  { secrets }: Context,
  { cookies }: Caller,
  callbackURL: string | undefined,
  sign: DoneSign,
): void {
  if (callbackURL !== undefined && readers.test(callbackURL))
    cookies.set(cookie, secrets.seal(JSON.stringify(sign), cookie), believedFor)
}

/** The newest sign; undefined when this server did not seal it. */
export function readSign({ secrets }: Context, { cookies }: Caller): DoneSign | undefined {
  const value = cookies.get(cookie)
  if (value === undefined) return undefined
  try {
    return JSON.parse(secrets.open(value, cookie)) // Sealed by leaveSign.
  } catch {
    return undefined
  }
}
