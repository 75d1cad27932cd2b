import type { PaymentLimits } from '@tollgate/contract/billing'
import type { Id } from '../../../foundation/db/database.ts'
import type { DisputeStatus } from '../states.ts'

/**
 * The interface of every payment processor (architecture, "Money moves in three steps"). First the intent is recorded.
 * Then one of these functions is called, outside every transaction, with the payment's id as the idempotency key. Then
 * its answer or the processor's event, whichever is first, settles the payment.
 */

export type ProcessorName = 'sandbox' | 'stripe'

/** The public details of a payment method: a card, in a wallet or not, or an account at Link. */
export type MethodDetails = CardDetails | { readonly type: 'link' }

export type CardDetails = {
  readonly type: 'card'
  readonly brand: string
  readonly lastFour: string
  readonly expMonth: number
  readonly expYear: number
}

/** A payment to make, or a method to keep for later (`setup`, amount 0). */
export type Charge = {
  /** The payment's id is the idempotency key: a second call returns the answer of the first. */
  readonly paymentId: Id<'payment'>
  readonly purpose: 'charge' | 'setup'
  readonly amount: number
  readonly currency: string
  /** From the buyer's browser, or a kept method. */
  readonly source: { readonly confirmationToken: string } | { readonly methodReference: string }
  /** Whether the method may be charged later without the buyer. */
  readonly keepMethod: boolean
  /** The buyer is not present to confirm anything. */
  readonly offSession: boolean
}

/** Whether, when and how another attempt may succeed after a failed one. */
export type Advice =
  /** Later, with the same method; the customer does or changes something first; never. */
  | { readonly kind: 'retry' | 'needs_customer' | 'stop' }
  /** Not before some milliseconds have passed. */
  | { readonly kind: 'retry_after'; readonly wait: number }

/** The state of an attempt. */
export type Attempt =
  | {
      readonly status: 'succeeded'
      readonly reference: string
      /** The amount actually paid; rejected if it differs from the requested amount (security, F-amount). */
      readonly amount: number
      readonly currency: string
      readonly method: MethodDetails
      /** The reference for later charges, if the method was kept. */
      readonly methodReference: string | undefined
      /** What identifies the card of a kept method, also where another buyer pays with it. */
      readonly fingerprint?: string | undefined
      /** Another mismatch with the request: another payment, another customer, or test money in live mode. Rejected. */
      readonly contradiction?: 'payment' | 'customer' | 'mode'
    }
  | {
      readonly status: 'failed'
      readonly reference: string | undefined
      /** The processor's code, such as `insufficient_funds`. */
      readonly reason: string
      /** For the buyer, in English. */
      readonly message: string
      readonly advice: Advice
      readonly method: MethodDetails | undefined
    }
  /** The buyer must confirm: the secret for their browser, unless it can no longer be opened. */
  | { readonly status: 'requires_action'; readonly reference: string; readonly clientSecret: string | undefined }
  /** Decided later, by an event or by `look`. */
  | { readonly status: 'pending'; readonly reference: string }

/** A refund to make. */
export type RefundOrder = {
  /** The refund's id is the idempotency key: a second call returns the answer of the first. */
  readonly refundId: Id<'refund'>
  /** The refunded payment: this server's id and the processor's. */
  readonly paymentId: Id<'payment'>
  readonly paymentReference: string
  /** Including tax. */
  readonly amount: number
  readonly currency: string
  /** The seller's reason, one of the contract's. */
  readonly reason: string
}

/** The state of a refund at its processor. */
export type RefundAttempt =
  | {
      readonly status: 'succeeded'
      readonly reference: string
      /** The amount actually refunded; rejected if it differs from the requested amount (security, F-amount). */
      readonly amount: number
      readonly currency: string
    }
  | { readonly status: 'pending'; readonly reference: string }
  | {
      readonly status: 'failed' | 'canceled'
      readonly reference: string | undefined
      /** The processor's code, which the seller sees as this server's text, and its own message, for the log. */
      readonly reason: string
      readonly message: string
    }

/** A refund that began at the processor. */
export type RefundTold = {
  /** The processor's id: one refund for each. */
  readonly reference: string
  /** This server's payment id. */
  readonly paymentId: Id<'payment'>
  /** Including tax. */
  readonly amount: number
  readonly currency: string
  /** One of the contract's. */
  readonly reason: 'duplicate' | 'fraudulent' | 'customer_request' | 'other'
  readonly attempt: RefundAttempt
}

/** A dispute in its processor's words. */
export type DisputeTold = {
  /** The processor's id: one dispute for each. */
  readonly reference: string
  /** This server's payment id. */
  readonly paymentId: Id<'payment'>
  readonly status: DisputeStatus
  /** The processor's code, such as `fraudulent`. */
  readonly reason: string | null
  /** Including tax. */
  readonly amount: number
  readonly currency: string
  readonly evidenceDueBy: Date | null
}

export type ChargeableToken = {
  /** What identifies its card, also where another buyer pays with it; undefined for other methods. */
  readonly fingerprint: string | undefined
}

export type Processor = {
  readonly name: ProcessorName
  /** Whether it takes no real money; every page says so. */
  readonly isTest: boolean
  /** How many calls a second jobs may make, where the account has a limit that buyers share. */
  readonly callsPerSecond?: number
  /** Whether it takes payments in a currency, of any amount. */
  takesCurrency(currency: string): boolean
  /** The smallest and largest amount it takes; an amount of zero needs no payment. */
  limitsIn(currency: string): PaymentLimits
  /** What the buyer's browser needs to reach the processor: sent with each checkout, strings only. */
  readonly browserSettings: Readonly<Record<string, string>>
  /** A confirmation token that can be charged now, undefined for any other: checked before anything is recorded. */
  findToken(confirmationToken: string): Promise<ChargeableToken | undefined>
  /** Tries to charge. Rejects only if the outcome is unknown: `look` finds it later. */
  charge(charge: Charge): Promise<Attempt>
  /** The state of a payment; undefined if the processor does not know it. */
  look(paymentId: Id<'payment'>): Promise<Attempt | undefined>
  /**
   * Cancels an unfinished attempt so that it can no longer charge, even if the processor has not received it yet.
   * Returns the attempt's state; a finished attempt stays as it is.
   */
  cancel(paymentId: Id<'payment'>): Promise<Attempt>
  /** Detaches a saved method, so that nothing can charge it again. Repeating it changes nothing. */
  forget(methodReference: string): Promise<void>
  /** Refunds a payment. Rejects only if the outcome is unknown: `lookRefund` finds it later. */
  refund(order: RefundOrder): Promise<RefundAttempt>
  /** The state of a refund; undefined if the processor does not know it. */
  lookRefund(refund: {
    readonly refundId: Id<'refund'>
    readonly reference: string | null
  }): Promise<RefundAttempt | undefined>
  /** An unrecorded refund, by the processor's id; undefined if it is recorded, or not of this server's payments. */
  lookForeignRefund(reference: string): Promise<RefundTold | undefined>
  /** The state of a dispute; undefined if the processor does not know it. */
  lookDispute(reference: string): Promise<DisputeTold | undefined>
}

/** The object of a processor's event. The event only names it; the processor is asked for its state. */
export type ProcessorEvent =
  /** The id of this server's payment or refund. */
  | { readonly paymentId: Id<'payment'> }
  | { readonly refundId: Id<'refund'> }
  /** The processor's id of a dispute, or of a refund that began there. */
  | { readonly refundReference: string }
  | { readonly disputeReference: string }

/** The payload of a `processor-event` job. */
export type ProcessorReport = ProcessorEvent & { readonly name: ProcessorName }

/** The processors of an installation. */
export type Payments = {
  /** The processor of new checkouts. */
  readonly forNewCheckouts: Processor
  /** The processor of an existing checkout or payment; undefined if it is not configured. */
  byName(name: string): Processor | undefined
}

/** Thrown by `charge` for a confirmation token that is unknown or used up: nothing was charged. */
export class UnknownConfirmationToken extends Error {
  override readonly name = 'UnknownConfirmationToken'
}
