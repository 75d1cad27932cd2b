import type { Context } from '../../foundation/context.ts'
import type { Caller } from '../../foundation/http/handler.ts'

/**
 * Tells the browser what it has just done: a page says "your address is confirmed" only to a browser with this cookie,
 * not to a visitor who merely opens the page. It grants nothing.
 */
export type Outcome = {
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
export function setOutcomeCookie(
  { secrets }: Context,
  { cookies }: Caller,
  callbackURL: string | undefined,
  outcome: Outcome,
): void {
  if (callbackURL !== undefined && readers.test(callbackURL))
    cookies.set(cookie, secrets.seal(JSON.stringify(outcome), cookie), believedFor)
}

/** The newest outcome; undefined when this server did not seal it. */
export function readOutcomeCookie({ secrets }: Context, { cookies }: Caller): Outcome | undefined {
  const value = cookies.get(cookie)
  if (value === undefined) return undefined
  try {
    return JSON.parse(secrets.open(value, cookie)) // Sealed by setOutcomeCookie.
  } catch {
    return undefined
  }
}
