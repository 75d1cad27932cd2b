/** What a slug may be. Pure; that it is unused, the unique index decides. */

/**
 * First parts of our own paths: an application that puts slugs at the front of its paths, behind the same host, would find
 * ours there instead.
 */
const reserved: ReadonlySet<string> = new Set([
  ...['accept-invitation', 'account', 'admin', 'api', 'checkout', 'dashboard', 'dev', 'docs', 'error', 'join', 'new'],
  ...['openapi', 'org', 'organizations', 'portal', 'sign-in', 'sign-out', 'sign-up', 'v1'],
])

/** How a slug is compared and stored. */
export const toSlug = (input: string): string => input.trim().toLowerCase()

/**
 * The one spelling of a slug, or null when it is none: 2 to 64 of a–z, 0–9 and hyphen (security, §0), and the underscore
 * that the ecosystem's clients send, too; a letter or digit at both ends.
 */
export function normalizeSlug(input: string): string | null {
  const slug = toSlug(input)
  return /^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$/.test(slug) && !reserved.has(slug) ? slug : null
}
