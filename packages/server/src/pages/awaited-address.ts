import { createCaller } from '../foundation/http/caller.ts'
import type { Visit } from './visit.ts'

const name = 'tollgate_awaited'
const day = 86_400

/**
 * Keeps the address, so that the page of an expired link can send a new mail. The value is sealed, not signed: the
 * visitor chooses the address, and its signature would be valid for other cookies too.
 */
export function awaitAddress({ ctx, setCookie }: Visit, email: string): void {
  const value = ctx.secrets.seal(email, name)
  const secure = ctx.config.secureCookies ? '; Secure' : ''
  setCookie(`${name}=${value}; Max-Age=${day}; Path=/verify-email; HttpOnly; SameSite=Lax${secure}`)
}

/** The address whose verification this browser waits for; the caller checks its format. */
export function awaitedAddress({ ctx, headers }: Visit): string | undefined {
  const value = createCaller(ctx, headers, '').cookies.get(name)
  if (value === undefined) return undefined
  try {
    return ctx.secrets.open(value, name)
  } catch {
    return undefined // not sealed by this server, or with a removed secret
  }
}
