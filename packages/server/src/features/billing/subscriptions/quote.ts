import { after, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { sha256 } from '../../../foundation/token.ts'

/*
 * A preview is a quote: its id holds a hash of all that it was computed from, and the moment that it was computed for.
 * Posting computes again for the same moment, and refuses where the hash differs. So nothing needs to be stored, and
 * what is charged equals what was shown.
 */

/** How long a quote holds. */
const quoteLife = minutes(15)

const purpose = 'quote of a change'

/** What a quote's id holds. */
export type QuoteKey = {
  readonly subscriptionId: Id<'subscription'>
  readonly inputHash: string
  /** The moment that prorations count from. */
  readonly asOf: Date
}

type Stored = readonly [subscriptionId: string, inputHash: string, asOf: number]

/** The hash of what a quote was computed from, and of its result. */
export const hashOf = (inputs: unknown): string => sha256(JSON.stringify(inputs))

export const quoteExpiry = ({ asOf }: Pick<QuoteKey, 'asOf'>): Date => after(asOf, quoteLife)

export const quoteIdOf = (
  { secrets }: Pick<Context, 'secrets'>,
  { subscriptionId, inputHash, asOf }: QuoteKey,
): string => secrets.seal(JSON.stringify([subscriptionId, inputHash, asOf.getTime()] satisfies Stored), purpose)

/** The key in a quote's id; undefined for an id that this server has not given, for another subscription, or an old one. */
export function quoteIn(
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  id: string,
  subscriptionId: Id<'subscription'>,
): QuoteKey | undefined {
  try {
    const [quotedId, inputHash, asOf]: Stored = JSON.parse(secrets.open(id, purpose)) // written by `quoteIdOf`
    const key = { subscriptionId, inputHash, asOf: new Date(asOf) }
    return quotedId === subscriptionId && quoteExpiry(key) > clock.now() ? key : undefined
  } catch {
    return undefined
  }
}
