import { isNameOf, namesOf } from '../../../foundation/proof/proven.ts'

/** The test cards of the sandbox (interface, section 6): their public numbers, and how each behaves. */
type SandboxCard = {
  readonly number: string
  readonly brand: string
  /** Why it is declined while the buyer is present. */
  readonly declines?: DeclineReason
  /** Why it is declined later, without the buyer. */
  readonly declinesOffSession?: DeclineReason
  /** Whether the buyer must confirm each payment, as with 3-D Secure. */
  readonly asksOwner?: true
  /** How its refunds go; by default they succeed at once. */
  readonly refunds?: 'pending' | 'fail_later'
  /** Whether the buyer disputes the payment at once. */
  readonly isDisputed?: true
}

export const sandboxCards = {
  success: { number: '4242424242424242', brand: 'visa' },
  decline: {
    number: '4000000000000002',
    brand: 'visa',
    declines: 'card_declined',
    declinesOffSession: 'card_declined',
  },
  insufficient_funds: {
    number: '4000000000009995',
    brand: 'visa',
    declines: 'insufficient_funds',
    declinesOffSession: 'insufficient_funds',
  },
  renewal_decline: { number: '4000000000000341', brand: 'visa', declinesOffSession: 'card_declined' },
  requires_action: {
    number: '4000002500003155',
    brand: 'visa',
    asksOwner: true,
    declinesOffSession: 'authentication_required',
  },
  expired: {
    number: '4000000000000069',
    brand: 'visa',
    declines: 'expired_card',
    declinesOffSession: 'expired_card',
  },
  refund_pending: { number: '4000000000007726', brand: 'visa', refunds: 'pending' },
  refund_fails_later: { number: '4000000000005126', brand: 'visa', refunds: 'fail_later' },
  disputed: { number: '4000000000000259', brand: 'visa', isDisputed: true },
} as const satisfies Record<string, SandboxCard>

export type SandboxCardName = keyof typeof sandboxCards

export function cardOf(name: string): SandboxCard {
  if (!isNameOf(sandboxCards, name)) throw new Error(`There is no test card ${name}`)
  return sandboxCards[name]
}

/** The card with a number, which may contain spaces; undefined for any other number. */
export function cardByNumber(number: string): SandboxCardName | undefined {
  const digits = number.replace(/[ \u00a0]/g, '')
  return namesOf(sandboxCards).find((name) => sandboxCards[name].number === digits)
}

/** Why an attempt fails, with the buyer's message. */
export const declineMessages = {
  card_declined: 'The card was declined.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  authentication_failed: 'The payment was not confirmed.',
  authentication_required: 'The cardholder must authenticate this payment.',
  canceled: 'The payment was canceled before it was complete.',
  no_payment_method: 'The customer has no saved payment method.',
  processor_unavailable: 'Payments are not available yet.',
  amount_too_small: 'The total is too small for a card payment.',
  amount_too_large: 'The total is too large for a card payment.',
} as const

export type DeclineReason = keyof typeof declineMessages

/** Why a refund fails, with the seller's message. */
export const refundFailures = {
  no_such_payment: 'The payment does not exist.',
  amount_too_large: 'The amount exceeds the remaining amount of the payment.',
  charge_disputed: 'The payment is disputed, so the bank decides.',
  expired_or_canceled_card: 'The card has expired or was canceled.',
} as const

export type RefundFailure = keyof typeof refundFailures
