import type { Selectable } from 'kysely'
import type { Context } from '../../../foundation/context.ts'
import type { ProcessorMetadata } from '../../../foundation/db/tables/checkout.ts'
import type { Tables } from '../../../foundation/db/tables.ts'
import { shownReason } from '../payments/shown-reason.ts'

const purpose = 'intent client secret'

/** Stored metadata of a payment that the buyer has to confirm. */
export const waitingMetadata = ({ secrets }: Pick<Context, 'secrets'>, clientSecret: string): ProcessorMetadata => ({
  intent_status: 'requires_action',
  intent_client_secret: secrets.seal(clientSecret, purpose),
})

/** Stored metadata of a declined payment, after which the checkout can be confirmed again. */
export const declinedMetadata = (reason: string): ProcessorMetadata => ({
  decline_reason: shownReason(reason),
})

/** Whether a payment of the checkout has failed before. */
export const hasDeclined = (kept: ProcessorMetadata): boolean => kept.decline_reason !== undefined

/** Whether the buyer has to confirm the checkout's payment. */
export const waitsForBuyer = (kept: ProcessorMetadata | undefined): boolean => kept?.intent_status === 'requires_action'

/**
 * The metadata for a response, with the browser's settings for the processor. Omits the client secret if its SECRET is
 * no longer configured: the seller's lists keep working, and the payment ends by its age.
 */
export function shownMetadata(
  { secrets, payments }: Pick<Context, 'secrets' | 'payments'>,
  { processor, processorMetadata: kept }: Pick<Selectable<Tables['checkout']>, 'processor' | 'processorMetadata'>,
): Record<string, string> {
  const { intent_client_secret: sealed, ...said } = kept
  const others = { ...payments.byName(processor)?.browserSettings, ...said }
  if (sealed === undefined) return others
  try {
    return { ...others, intent_client_secret: secrets.open(sealed, purpose) }
  } catch {
    return others
  }
}
