import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { seconds } from './clock.ts'

/** The TXT records of a name, each in its pieces (RFC 1035, section 3.3.14). */
export type ResolveTxt = (name: string) => Promise<string[][]>

/** Somebody waits for the answer. */
const timeLimit = seconds(5)

/** Asks the servers that the machine is told to ask; rejects where there are none, or nobody answers in time. */
export const resolveTxt: ResolveTxt = async (name) => {
  const resolver = new Resolver({ timeout: timeLimit / 2, tries: 2 })
  // Several servers are asked one after another, each for its time.
  const limit = setTimeout(() => resolver.cancel(), timeLimit)
  try {
    return await resolver.resolveTxt(name)
  } finally {
    clearTimeout(limit)
  }
}

/** The addresses of a name; rejects where there are none, or nobody answers in time. */
export type ResolveAddresses = (name: string) => Promise<LookupAddress[]>

type Addresses = {
  /** Whether names are looked for that only the machine itself knows: in its own list, or below its own domain. */
  readonly knowsMachine: boolean
  /** Who is asked, in place of those that the machine is told to ask. */
  readonly servers?: readonly string[]
  /** In milliseconds. */
  readonly limit?: number
}

/** What a machine's own programs find where servers say that there is nothing, or there are none. */
const unknownToServers = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/**
 * Finds addresses of names that anybody may choose. Servers are asked without the machine's own look-up: that one runs on a few
 * threads of the process for as long as a name's servers please, and whoever looks for another name waits behind it.
 */
export function createResolveAddresses({ knowsMachine, servers, limit = timeLimit }: Addresses): ResolveAddresses {
  return async (name) => {
    // Never asked of others (RFC 6761, section 6.3).
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
