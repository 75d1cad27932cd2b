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

/** The addresses of a name, as the machine's own programs would find them; rejects where there are none. */
export type ResolveAddresses = (name: string) => Promise<LookupAddress[]>

export const resolveAddresses: ResolveAddresses = (name) => lookup(name, { all: true })
