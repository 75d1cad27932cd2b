/**
 * The words of an event's sentence. Each has a fallback for unknown values, such as "A buyer"; an optional word is
 * then empty. A capital marks the form for the beginning of a sentence.
 */

/** Words for a message in Slack or Discord. */
export type ChatWords = {
  readonly product: string
  readonly name: string
  readonly Name: string
  readonly buyer: string
  readonly Buyer: string
  /** "order N-1", or "order". */
  readonly order: string
  readonly Order: string
  /** "The subscription of Ada to Pro". */
  readonly Subscription: string
  /** "the benefit", followed by its description. */
  readonly Benefit: string
  /** "2 active subscriptions". */
  readonly activeSubscriptions: string
  /** The verb for the object's new state; "has changed" for a state without words. */
  readonly became: string
  /** The object's price with its tax, such as "$58.31 USD", or empty. */
  readonly total: string
  /** " of $58.31 USD", or empty. */
  readonly ofTotal: string
  /** Whether the object is free. */
  readonly isFree: boolean
  /** The sum of an order's refunds with its tax, or empty. */
  readonly refunded: string
  /** The end date of a canceled subscription, or empty if it ends at once. */
  readonly endsOn: string
  /** The event's user. */
  readonly person: string
  readonly Person: string
  /** The address of an invitation. */
  readonly invited: string
  readonly Invited: string
  /** "the team Design", or "a team". */
  readonly team: string
  readonly Team: string
  /** The organization's name. */
  readonly where: string
  /** Whether the member left on their own. */
  readonly hasLeft: boolean
}
