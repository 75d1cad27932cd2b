/** The reason of a decline, as the person who pays may know it. */
export const shownReason = (reason: string): string => (ownReasons.has(reason) ? 'card_declined' : reason)

/** Decline reasons that may concern another card holder: only the seller sees them, in the payment. */
const ownReasons: ReadonlySet<string> = new Set([
  'fraudulent',
  'lost_card',
  'merchant_blacklist',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'stolen_card',
])
