import { isMadeUp, normalizeEmail } from '../identity/profile-rules.ts'

/**
 * The one spelling of a domain, or null when it is none: lower case, in ASCII letters (IDNA), with at least one dot, no IP
 * address. By the rule of addresses, so that it compares with their domains letter by letter.
 */
export function normalizeDomain(input: string): string | null {
  const email = normalizeEmail(`x@${input.trim()}`)
  return email === null || isMadeUp(email) ? null : domainOf(email)
}

/** The domain of a normalised address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** The TXT record that proves a domain; beside the domain's own, which have other purposes. */
export const proofRecord = (domain: string, proof: string): { name: string; value: string } => ({
  name: `_tollgate.${domain}`,
  value: `tollgate-domain-verification=${proof}`,
})
