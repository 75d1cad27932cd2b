import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { Config } from '../config/config.ts'
import type { Logger } from '../log.ts'
import { forgetOldest } from '../proof/proven.ts'

/** Returns the client's address: the connection's peer, or the peer that a configured proxy reports. */
export type ClientAddress = (headers: Pick<Headers, 'get' | 'has'>, remoteAddress: string | undefined) => string

/** Headers that proxies commonly set; trusted proxies only. */
const forwardedHeaders = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip']

/** The most peers whose addresses are remembered. */
const rememberedPeers = 1000

/**
 * Finds the client's address; empty when unknown. Forwarded headers count only from `advanced.trustedProxies`: any
 * other client could forge them.
 */
export function createClientAddress(config: Config, log: Logger): ClientAddress {
  const { trustedProxies, ipAddressHeaders } = config.advanced
  const proxies = new BlockList()
  for (const entry of trustedProxies) addRange(proxies, entry)
  const isProxy = (address: string) => isIP(address) !== 0 && proxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  const believed = ipAddressHeaders.length > 0 ? ipAddressHeaders : ['x-forwarded-for']
  let warned = false

  // A connection asks many times, and reading its address again costs a tenth of the fastest calls.
  const peers = new Map<string, { readonly peer: string; readonly isTrusted: boolean }>()
  const peerAt = (remoteAddress: string) => {
    let known = peers.get(remoteAddress)
    if (!known) {
      const peer = plainAddress(remoteAddress)
      known = { peer, isTrusted: isProxy(peer) }
      peers.set(remoteAddress, known)
      if (peers.size > rememberedPeers) forgetOldest(peers)
    }
    return known
  }

  return (headers, remoteAddress) => {
    const { peer, isTrusted } = peerAt(remoteAddress ?? '')
    if (!isTrusted) {
      if (!warned && peer && forwardedHeaders.some((name) => headers.has(name))) {
        warned = true
        log.warn(
          { peer },
          'Ignored a forwarded header from an untrusted peer. If the peer is your proxy, add it to advanced.trustedProxies.',
        )
      }
      return peer
    }
    for (const name of believed) {
      const hops = (headers.get(name) ?? '').split(',').map((hop) => plainAddress(hop.trim()))
      // From the right: each proxy appends its peer, so everything left of the first untrusted address may be forged.
      const client = hops.findLast((hop) => hop === '' || !isProxy(hop))
      if (client) return client
    }
    return peer
  }
}

/** An address without port, brackets, zone or IPv4-mapped form; empty if invalid. */
function plainAddress(text: string): string {
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/%.*$/, '')
  const address = /^\d+\.\d+\.\d+\.\d+:\d+$/.test(bare) ? bare.slice(0, bare.indexOf(':')) : bare
  if (isIPv6(address)) return mappedAddress(address) ?? address
  return isIPv4(address) ? address : ''
}

/** The IPv4 address in an IPv6 one (RFC 4291, section 2.5.5.2), in any spelling; undefined if there is none. */
function mappedAddress(address: string): string | undefined {
  if (!/ffff/i.test(address)) return undefined
  const groups = groupsOf(address)
  if (groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return undefined
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/** The eight groups of an IPv6 address; the last two may be in IPv4 notation. */
function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = address.split('::')
  const left = groupsIn(head)
  const right = groupsIn(tail)
  const zeros = Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<number>(zeros).fill(0), ...right]
}

const groupsIn = (text: string): number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((part) => {
        if (!part.includes('.')) return Number.parseInt(part, 16)
        const [first = 0, second = 0, third = 0, fourth = 0] = part.split('.').map(Number)
        return [first * 256 + second, third * 256 + fourth]
      })

function addRange(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/')
  if (!isIP(address)) return
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/**
 * The address that limits count by: all of IPv4, the /64 of IPv6, where one household has 2^64 addresses. Requests
 * without an address share one bucket.
 */
export function addressBucket(address: string): string {
  if (!isIPv6(address)) return address || 'unknown'
  const network = groupsOf(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}
