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
export const declinedMetadata = (reason: string): string => toJson({ decline_reason: reason } satisfies Kept)

/** Whether a checkout waits for its buyer to confirm their payment. */
export const waitsForBuyer = (kept: unknown): boolean => (kept as Kept | undefined)?.intent_status === 'requires_action' // written above

/**
 * The same for an answer. Without the buyer's secret where that was sealed under a SECRET that is configured no more: the
 * lists of the seller go on, and the payment comes to its end by its age.
 */
export function shownMetadata({ secrets }: Pick<Context, 'secrets'>, kept: unknown): Record<string, string> {
  const { intent_client_secret: sealed, ...others } = kept as Kept // written above, or empty
  if (sealed === undefined) return others
  try {
    return { ...others, intent_client_secret: secrets.open(sealed, purpose) }
  } catch {
    return others
  }
}
