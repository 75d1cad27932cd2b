import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import type { PaymentRow } from '../order/payment.repository.ts'
import type { Attempt } from '../payments/processor.ts'

declare module '../../../foundation/context.ts' {
  interface Ports {
    /** What follows from a payment, by what it is for. */
    readonly settlers: Settlers
  }
}

export type Succeeded = Attempt & { readonly status: 'succeeded' }
export type Failed = Attempt & { readonly status: 'failed' }
export type Waiting = Attempt & { readonly status: 'requires_action' }

/** What a payment is for. */
export type PaymentSubject = PaymentRow['subject']

/**
 * What follows from a payment's outcome. `succeeded` and `failed` run in the transaction that settles the payment,
 * which is their row by then.
 */
export type Settler = {
  succeeded(ctx: Context, tx: Tx, payment: PaymentRow, attempt: Succeeded): Promise<void>
  /** `mayRetry` is false where the processor took another amount than was asked: nothing is tried again by itself. */
  failed(ctx: Context, tx: Tx, payment: PaymentRow, failure: { readonly mayRetry: boolean }): Promise<void>
  /** The buyer has to confirm the payment. */
  waits(ctx: Context, payment: PaymentRow, attempt: Waiting): Promise<void>
}

/** A subject without a row is not taken yet: its payments cannot be begun. */
export type Settlers = Readonly<Partial<Record<PaymentSubject, Settler>>>
