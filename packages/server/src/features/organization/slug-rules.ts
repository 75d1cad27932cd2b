/** The format of a slug. Pure; the unique index ensures that it is unused. */

/** First segments of our own paths, which an application on the same host could not use as slugs. */
const reserved: ReadonlySet<string> = new Set([
  ...['accept-invitation', 'account', 'admin', 'api', 'checkout', 'dashboard', 'dev', 'docs', 'error', 'join', 'new'],
  ...['openapi', 'org', 'organizations', 'portal', 'sign-in', 'sign-out', 'sign-up', 'v1'],
])

/** Normalizes a slug for comparison and storage. */
export const toSlug = (input: string): string => input.trim().toLowerCase()

/**
 * The canonical form of a slug, or null if invalid: 2 to 64 of a–z, 0–9 and hyphen (security, §0), and the underscore
 * that the ecosystem's clients send; a letter or digit at both ends.
 */
export function normalizeSlug(input: string): string | null {
  const slug = toSlug(input)
  return /^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$/.test(slug) && !reserved.has(slug) ? slug : null
}
