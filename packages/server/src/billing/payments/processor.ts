import type { PaymentLimits } from '@tollgate/contract/billing'
import type { DisputeStatus } from '../states.ts'

/**
 * What every payment processor is to us (architecture, "Money moves in three steps"): the intent is recorded, then one of
 * these functions is called with our payment's id as the idempotency key and outside every transaction, then its answer, or
 * the processor's own event, whichever is first, settles the payment.
 */

export type ProcessorName = 'sandbox' | 'stripe'

/** A card or the like, as far as anybody may see it. */
export type MethodDetails = {
  /** `card`. */
  readonly type: string
  readonly brand: string
  readonly lastFour: string
  readonly expMonth: number
  readonly expYear: number
}

/** What is to be paid, or to be kept for later (`setup`, amount 0). */
export type Charge = {
  /** Our payment's id: a second call with it is the first one, and gets its answer. */
  readonly paymentId: string
  readonly purpose: 'charge' | 'setup'
  readonly amount: number
  readonly currency: string
  /** From the buyer's browser, or a method that was kept. */
  readonly source: { readonly confirmationToken: string } | { readonly methodReference: string }
  /** Whether the method may be charged later without its owner. */
  readonly keepMethod: boolean
  /** Nobody is there who could confirm anything. */
  readonly offSession: boolean
}

/** How an attempt stands. */
export type Attempt =
  | {
      readonly status: 'succeeded'
      readonly reference: string
      /** What was really paid: anything else than was asked for is not believed (security, F-amount). */
      readonly amount: number
      readonly currency: string
      readonly method: MethodDetails
      /** What the method is charged by later; where it was kept. */
      readonly methodReference: string | undefined
      /** What else is not as it was asked for: another payment's, another customer's, or test money for real. Not believed. */
      readonly contradiction?: 'payment' | 'customer' | 'mode'
    }
  | {
      readonly status: 'failed'
      readonly reference: string | undefined
      /** The processor's code, such as `insufficient_funds`. */
      readonly reason: string
      /** For the buyer, in English. */
      readonly message: string
      readonly method: MethodDetails | undefined
    }
  /** The buyer has to confirm something; what lets their browser do so, unless that can be told no more. */
  | { readonly status: 'requires_action'; readonly reference: string; readonly clientSecret: string | undefined }
  /** Decided later; an event will tell, or `look` does. */
  | { readonly status: 'pending'; readonly reference: string }

/** Money that is to go back. */
export type RefundOrder = {
  /** Our refund's id: a second call with it is the first one, and gets its answer. */
  readonly refundId: string
  /** Of the payment that is given back, ours and the processor's. */
  readonly paymentId: string
  readonly paymentReference: string
  /** With tax. */
  readonly amount: number
  readonly currency: string
  /** The seller's, one of the contract's. */
  readonly reason: string
}

/** How a refund stands at its processor. */
export type RefundAttempt =
  | {
      readonly status: 'succeeded'
      readonly reference: string
      /** What really went back: anything else than was asked for is not believed. */
      readonly amount: number
      readonly currency: string
    }
  | { readonly status: 'pending'; readonly reference: string }
  | {
      readonly status: 'failed' | 'canceled'
      readonly reference: string | undefined
      /** The processor's code, which the seller is told in our words, and its own sentence, for the log. */
      readonly reason: string
      readonly message: string
    }

/** A refund that somebody has made at the processor, and not here. */
export type RefundTold = {
  /** What the processor calls it: one refund for each. */
  readonly reference: string
  /** Our payment's id. */
  readonly paymentId: string
  /** With tax. */
  readonly amount: number
  readonly currency: string
  /** One of the contract's. */
  readonly reason: 'duplicate' | 'fraudulent' | 'customer_request' | 'other'
  readonly attempt: RefundAttempt
}

/** A dispute as its processor tells it. */
export type DisputeTold = {
  /** What the processor calls it: one dispute for each. */
  readonly reference: string
  /** Our payment's id. */
  readonly paymentId: string
  readonly status: DisputeStatus
  /** The processor's word, such as `fraudulent`. */
  readonly reason: string | null
  /** With tax. */
  readonly amount: number
  readonly currency: string
  readonly evidenceDueBy: Date | null
}

export type Processor = {
  readonly name: ProcessorName
  /** Whether what it takes is no real money: said on every page. */
  readonly isTest: boolean
  /** Whether it takes payments of any amount in a currency. */
  takesCurrency(currency: string): boolean
  /** What it takes no less and no more than; nothing at all is no payment. */
  limitsIn(currency: string): PaymentLimits
  /** What the buyer's browser needs to reach it by itself: told with each checkout, texts only. */
  readonly browserSettings: Readonly<Record<string, string>>
  /** Whether a confirmation token can be charged now: asked before anything is written down. */
  knowsToken(confirmationToken: string): Promise<boolean>
  /** Tries to charge. Rejects only where nobody knows what has become of it: then `look` is asked later. */
  charge(charge: Charge): Promise<Attempt>
  /** What has become of a payment; undefined where the processor has never heard of it. */
  look(paymentId: string): Promise<Attempt | undefined>
  /**
   * Ends an attempt that has not come to its end, so that nothing is charged by it any more, not even where the processor
   * has not heard of it yet; then how it stands: one that had come to its end before stays as it is.
   */
  cancel(paymentId: string): Promise<Attempt>
  /** Gives money back. Rejects only where nobody knows what has become of it: then `lookRefund` is asked later. */
  refund(order: RefundOrder): Promise<RefundAttempt>
  /** What has become of a refund; undefined where the processor has never heard of it. */
  lookRefund(refund: {
    readonly refundId: string
    readonly reference: string | null
  }): Promise<RefundAttempt | undefined>
  /** A refund that is not known here, by the processor's name for it; undefined where it is, or is none of a payment of ours. */
  lookForeignRefund(reference: string): Promise<RefundTold | undefined>
  /** How a dispute stands; undefined where the processor has never heard of it. */
  lookDispute(reference: string): Promise<DisputeTold | undefined>
}

/** What an event of a processor's is about. It only names it: how that stands, the processor is asked. */
export type ProcessorEvent =
  /** Our payment's or refund's id. */
  | { readonly paymentId: string }
  | { readonly refundId: string }
  /** What the processor calls a refund that began there, or a dispute. */
  | { readonly refundReference: string }
  | { readonly disputeReference: string }

/** The payload of a job of the kind `processor-event`. */
export type ToldByProcessor = ProcessorEvent & { readonly name: ProcessorName }

/** The processors of an installation. */
export type Payments = {
  /** What checkouts that are made now are paid by. */
  readonly forNewCheckouts: Processor
  /** The one of a checkout or payment that is there; nothing where this installation does not have it. */
  byName(name: string): Processor | undefined
}

/** Thrown by `charge` for a confirmation token that is unknown or used up: nothing has been tried. */
export class UnknownConfirmationToken extends Error {
  override readonly name = 'UnknownConfirmationToken'
}
