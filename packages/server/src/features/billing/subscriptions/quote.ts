import { after, minutes } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
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
  /** The subscription that changes, or the customer of a new one. */
  readonly subject: Id<'subscription'> | Id<'customer'>
  readonly inputHash: string
  /** The moment that prorations count from. */
  readonly asOf: Date
}

type Stored = readonly [subject: string, inputHash: string, asOf: number]

/** The hash of what a quote was computed from, and of its result. */
export const hashOf = (inputs: unknown): string => sha256(JSON.stringify(inputs))

const quoteExpiry = ({ asOf }: Pick<QuoteKey, 'asOf'>): Date => after(asOf, quoteLife)

/** The id and the end of a quote. */
export const quoteOf = ({ secrets }: Pick<Context, 'secrets'>, { subject, inputHash, asOf }: QuoteKey) => ({
  id: secrets.seal(JSON.stringify([subject, inputHash, asOf.getTime()] satisfies Stored), purpose),
  inputHash,
  expiresAt: quoteExpiry({ asOf }).toISOString(),
})

type Asked = { readonly quoteId: string | null; readonly subject: QuoteKey['subject'] }

/** What was prepared as it was quoted, or as it is now. A quote that no longer holds is refused with the new one. */
export async function asQuoted<Prepared extends { readonly key: QuoteKey }>(
  ctx: Context,
  { quoteId, subject }: Asked,
  prepare: (asOf: Date) => Promise<Prepared>,
  toQuote: (prepared: Prepared) => object | Promise<object>,
): Promise<Prepared> {
  const now = ctx.clock.now()
  if (quoteId === null) return prepare(now)
  const quoted = quoteIn(ctx, quoteId, subject)
  const prepared = quoted && (await prepare(quoted.asOf))
  if (prepared && prepared.key.inputHash === quoted.inputHash) return prepared
  throw new TollgateError('QUOTE_CHANGED', { extra: { quote: await toQuote(await prepare(now)) } })
}

/** The key in a quote's id; undefined for an id that this server has not given, for another subject, or an old one. */
function quoteIn(
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  id: string,
  subject: QuoteKey['subject'],
): QuoteKey | undefined {
  try {
    const [quotedId, inputHash, asOf]: Stored = JSON.parse(secrets.open(id, purpose)) // written by `quoteOf`
    const key = { subject, inputHash, asOf: new Date(asOf) }
    return quotedId === subject && quoteExpiry(key) > clock.now() ? key : undefined
  } catch {
    return undefined
  }
}
