/** Hosts that a source of a content security policy can name (CSP 3, section 2.3.1), and underscores. */
const namedHost = /^[\w-]+(?:\.[\w-]+)*$/

/**
 * The origin of an http or https address, for a content security policy; null when a policy cannot name it. URL parsers
 * accept hosts such as `a;sandbox`, `a,b` and `*`, which a policy reads as a directive, a list and a wildcard. A policy has no
 * syntax for IPv6 addresses.
 */
export function policyOrigin(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, hostname, origin } = new URL(address)
  return /^https?:$/.test(protocol) && namedHost.test(hostname) ? origin : null
}
