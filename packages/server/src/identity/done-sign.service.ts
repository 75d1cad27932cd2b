import type { Context } from '../context.ts'
import type { Caller } from '../http/route.ts'

/**
 * What has just been done, told to the browser that did it: a page says "your address is confirmed" to whoever has this
 * sign, and to nobody who only opens its address. It grants nothing.
 */
export type DoneSign = {
  readonly done: 'verification-sent' | 'email-verified' | 'email-changed' | 'account-deleted'
  /** The address that it is about, normalised; empty for an account that is gone. */
  readonly email: string
}

const cookie = 'tollgate_done'
/** Seconds: long enough to read the page, and to read it again in another language. */
const believedFor = 600

/** Our own pages that such a call leads to; whoever leads elsewhere, or nowhere, has pages of their own and gets no cookie. */
const readers =
  /^\/(?:verify-email|account-deleted|account\/email-changed|(?:accept-invitation|join|org)\/[^?]*)(?:\?|$)/

/**
 * Leaves the sign where `callbackURL` says that one of our pages comes next. Sealed rather than signed: a signature would be
 * good for other cookies too, and addresses are nobody else's to read.
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

/** The newest sign; nothing when it is not ours. */
export function readSign({ secrets }: Context, { cookies }: Caller): DoneSign | undefined {
  const value = cookies.get(cookie)
  if (value === undefined) return undefined
  try {
    return JSON.parse(secrets.open(value, cookie)) as DoneSign // sealed by leaveSign
  } catch {
    return undefined
  }
}
