import type { Visit } from './visit.ts'

const name = 'tollgate_awaited'
const day = 86_400

/**
 * Keeps the address, so that the page of an expired link can send a new mail. The value is sealed, not signed: the
 * visitor chooses the address, and its signature would be valid for other cookies too.
 */
export const awaitAddress = ({ ctx, setCookie }: Visit, email: string): void =>
  setCookie(name, ctx.secrets.seal(email, name), day, 'Path=/verify-email; HttpOnly')

/** The address whose verification this browser waits for; the caller checks its format. */
export function awaitedAddress({ ctx, caller }: Visit): string | undefined {
  const value = caller.cookies.get(name)
  if (value === undefined) return undefined
  try {
    return ctx.secrets.open(value, name)
  } catch {
    return undefined // not sealed by this server, or with a removed secret
  }
}
