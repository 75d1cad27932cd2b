import { createCaller } from '../http/caller.ts'
import type { Visit } from './visit.ts'

const name = 'tollgate_awaited'
const day = 86_400

/**
 * Keeps the address for the page of a link that has expired, which could not ask for a new mail otherwise. Sealed rather
 * than signed: the address is the visitor's to choose, and a signature of it would be good for other cookies too.
 */
export function awaitAddress({ ctx, setCookie }: Visit, email: string): void {
  const value = ctx.secrets.seal(email, name)
  const secure = ctx.config.secureCookies ? '; Secure' : ''
  setCookie(`${name}=${value}; Max-Age=${day}; Path=/verify-email; HttpOnly; SameSite=Lax${secure}`)
}

/** The address that this browser has waited for; what it looks like is the caller's to check. */
export function awaitedAddress({ ctx, headers }: Visit): string | undefined {
  const value = createCaller(ctx, headers, '').cookies.get(name)
  if (value === undefined) return undefined
  try {
    return ctx.secrets.open(value, name)
  } catch {
    return undefined // not sealed by us, or by a secret that is gone
  }
}
