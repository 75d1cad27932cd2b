import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { seconds } from './clock.ts'

/** The TXT records of a name, each in its pieces (RFC 1035, section 3.3.14). */
export type ResolveTxt = (name: string) => Promise<string[][]>

/** A caller waits for the answer. */
const timeLimit = seconds(5)

/** Queries the machine's configured servers; rejects if there are none, or none answers in time. */
export const resolveTxt: ResolveTxt = async (name) => {
  const resolver = new Resolver({ timeout: timeLimit / 2, tries: 2 })
  // Several servers are asked in sequence, each with its own time-out.
  const limit = setTimeout(() => resolver.cancel(), timeLimit)
  try {
    return await resolver.resolveTxt(name)
  } finally {
    clearTimeout(limit)
  }
}

/** The addresses of a name; rejects if there are none, or no server answers in time. */
export type ResolveAddresses = (name: string) => Promise<LookupAddress[]>

type Addresses = {
  /** Whether to find names that only the machine knows: in its own list, or below its own domain. */
  readonly knowsMachine: boolean
  /** The servers to query, instead of the machine's configured ones. */
  readonly servers?: readonly string[]
  /** In milliseconds. */
  readonly limit?: number
}

/** The machine's own resolver, for names that servers do not know, or without servers. */
const unknownToServers = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/**
 * Finds addresses of names that users choose. Queries servers directly, not through the machine's own resolver: that
 * one runs on a few threads of the process for as long as a name's servers please, and blocks other lookups.
 */
export function createResolveAddresses({ knowsMachine, servers, limit = timeLimit }: Addresses): ResolveAddresses {
  return async (name) => {
    // Never queried at servers (RFC 6761, section 6.3).
    if (/(^|\.)localhost\.?$/i.test(name)) return loopback
    const resolver = new Resolver({ timeout: limit / 2, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = setTimeout(() => resolver.cancel(), limit)
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const found = [...ofFamily(four, 4), ...ofFamily(six, 6)]
      if (found.length > 0) return found
      const { reason } = four as PromiseRejectedResult // an answer without addresses is a rejection
      if (knowsMachine && unknownToServers.has(reason.code)) return await lookup(name, { all: true })
      throw reason
    } finally {
      clearTimeout(cancel)
    }
  }
}

const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

const ofFamily = (result: PromiseSettledResult<string[]>, family: number): LookupAddress[] =>
  result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
