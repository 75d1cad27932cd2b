import type { Context } from '../../context.ts'
import { toJson } from '../../db/tables.ts'

/**
 * What a checkout says to the buyer's browser about their payment (CHK-14): texts only. The secret by which the browser
 * confirms the payment is sealed where it is kept.
 */
type Kept = {
  readonly intent_status?: string
  readonly intent_client_secret?: string
  /** Why the last attempt was declined, for a page that was not there when it was. */
  readonly decline_reason?: string
}

const purpose = 'intent client secret'

/** That the buyer has to confirm their payment, as it is kept. */
export const waitingMetadata = ({ secrets }: Pick<Context, 'secrets'>, clientSecret: string): string =>
  toJson({
    intent_status: 'requires_action',
    intent_client_secret: secrets.seal(clientSecret, purpose),
  } satisfies Kept)

/** That the payment was declined, and the checkout can be confirmed again. */
export const declinedMetadata = (reason: string): string =>
  toJson({ decline_reason: ownReasons.has(reason) ? 'card_declined' : reason } satisfies Kept)

/** Why a card is declined that may not be its buyer's: for the seller, who reads it in the payment, and nobody else. */
const ownReasons: ReadonlySet<string> = new Set([
  'fraudulent',
  'lost_card',
  'merchant_blacklist',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'stolen_card',
])

/** Whether a checkout waits for its buyer to confirm their payment. */
export const waitsForBuyer = (kept: unknown): boolean => (kept as Kept | undefined)?.intent_status === 'requires_action' // written above

/**
 * The same for an answer, with what the browser needs to reach the processor. Without the buyer's secret where that was sealed under a SECRET that is configured no more: the
 * lists of the seller go on, and the payment comes to its end by its age.
 */
export function shownMetadata(
  { secrets, payments }: Pick<Context, 'secrets' | 'payments'>,
  { processor, processorMetadata: kept }: { readonly processor: string; readonly processorMetadata: unknown },
): Record<string, string> {
  const { intent_client_secret: sealed, ...said } = kept as Kept // written above, or empty
  const others = { ...payments.byName(processor)?.browserSettings, ...said }
  if (sealed === undefined) return others
  try {
    return { ...others, intent_client_secret: secrets.open(sealed, purpose) }
  } catch {
    return others
  }
}
