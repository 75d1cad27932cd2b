import { isMadeUp, normalizeEmail } from '../identity/profile-rules.ts'

/**
 * The canonical form of a domain, or null if invalid: lower case, ASCII (IDNA), at least one dot, no IP address.
 * Addresses follow the same rule, so their domains compare exactly.
 */
export function normalizeDomain(input: string): string | null {
  const email = normalizeEmail(`x@${input.trim()}`)
  return email === null || isMadeUp(email) ? null : domainOf(email)
}

/** The domain of a normalized address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** The TXT record that proves a domain, below it, because the domain's own records serve other purposes. */
export const proofRecord = (domain: string, proof: string): { name: string; value: string } => ({
  name: `_tollgate.${domain}`,
  value: `tollgate-domain-verification=${proof}`,
})
