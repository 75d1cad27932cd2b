import { BlockList, isIP } from 'node:net'
import type { Config } from '../../../foundation/config/config.ts'

/**
 * Where webhooks may go (WH-9, security F-ssrf). The server calls addresses that sellers choose, so hosts behind its
 * firewall must be out of reach. The rules apply when an endpoint is saved, and to every resolved address when a
 * message is sent.
 */

/** Private, own, shared, link-local and reserved networks (IANA special-purpose registries). */
const special4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** Only 2000::/3 of IPv6 is assigned; these ranges within it are special. 2002::/16 (6to4) carries an IPv4 address. */
const special6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const notPublic = new BlockList()
for (const [network, bits] of special4) notPublic.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of special6) notPublic.addSubnet(network, bits, 'ipv6')
const givenOut = new BlockList()
givenOut.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is one of the public internet. IPv6 forms of IPv4 addresses (mapped, NAT64, 6to4) never are. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic.check(address, 'ipv4')
  return family === 6 && givenOut.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

/** Ports of services that an HTTP request could abuse: mail, name and file servers, shells, databases, caches. */
const closedPorts = new Set(
  [
    '20 21 22 23 25 53 69 110 111 119 135 137 139 143 161 179 389 445 465 512 513 514 515 548 554 563 587 631 636 873 993 995',
    '1433 1521 2049 2375 2376 2377 2379 2380 3128 3306 3389 4369 5432 5672 5984 6379 6443 6666 6667 7000 7001 8500 9042 9160',
    '9200 9300 10250 11211 27017',
  ].flatMap((ports) => ports.split(' ')),
)

export type TargetRules = {
  /** Whether targets in private networks, and plain http, are allowed. */
  readonly allowPrivateNetworks: boolean
  readonly isProduction: boolean
}

/** The configured webhook targets: private networks are allowed in development, unless configured otherwise. */
export const targetRules = ({ billing, mode }: Config): TargetRules => ({
  allowPrivateNetworks: billing === false ? false : (billing.webhooks.allowPrivateNetworks ?? mode === 'development'),
  isProduction: mode === 'production',
})

/** Why a URL is refused, as its owner may read it; undefined if it is allowed. */
export function targetFault(url: string, { allowPrivateNetworks, isProduction }: TargetRules): string | undefined {
  if (!URL.canParse(url)) return 'Input should be a valid URL'
  // The parser normalizes decimal, octal and hexadecimal addresses.
  const { protocol, hostname, port, username, password } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return 'URL scheme should be http or https'
  if (username !== '' || password !== '') return 'URL should have no user name and no password'
  if (closedPorts.has(port)) return 'URL should not name this port'
  if (allowPrivateNetworks) return undefined
  if (isProduction && protocol !== 'https:') return 'URL scheme should be https'
  return isPublicHost(hostname) ? undefined : 'URL should not lead into a private network'
}

/** Whether a host may be public; for a name only resolution can tell. */
function isPublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !/(^|\.)(localhost|local|internal|lan|home\.arpa|localdomain)$/.test(host)
}
