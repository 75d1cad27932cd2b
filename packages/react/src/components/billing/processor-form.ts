import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import type { ComponentType, ReactNode, Ref } from 'react'
import type { Changes } from './checkout-values.ts'

/**
 * A processor with its own fields and script, so that no card reaches us. It is loaded only when one of its checkouts
 * is shown.
 */
export type ProcessorModule = {
  readonly Form: ComponentType<ProcessorFormProps>
  /**
   * Lets the buyer confirm the payment with their bank. Resolves after any answer; rejects if the processor's script
   * cannot load.
   */
  confirmAction(asked: { publishableKey: string; clientSecret: string; locale: string }): Promise<void>
}

export type ProcessorFormProps = {
  readonly publishableKey: string
  /** The kinds of payment methods that the server takes, by the processor's names. */
  readonly methodTypes: readonly string[]
  readonly locale: string
  readonly checkout: Pick<CheckoutPublic, 'totalAmount' | 'currency' | 'isPaymentRequired' | 'isBusinessCustomer'> & {
    readonly product: Pick<CheckoutPublic['product'], 'isRecurring'>
  }
  readonly handle: Ref<ProcessorHandle>
  /** Its fields are ready. */
  onReady(): void
  /** Its script cannot load. */
  onFailed(): void
  /** The buyer typed something. */
  onChange(): void
  /** For processors that offer wallets. */
  readonly wallet: WalletPayment
  /** What the buyer agrees to with a button of this name. */
  legal(button: string): ReactNode
}

/** A buyer as their wallet names them. */
export type WalletBuyer = {
  readonly name: string | null
  readonly email: string | null
  readonly address: NonNullable<Changes['customerBillingAddress']> | null
}

export type WalletPayment = {
  /** Whether what no wallet knows is filled in: the seller's questions and an own amount. Shows what is not. */
  mayPay(): boolean
  /** Pays by a wallet's token, which is made once the total is known to be the one that was seen. Returns whether it did. */
  pay(buyer: WalletBuyer, token: () => Promise<{ readonly id: string } | ProcessorProblem>): Promise<boolean>
}

/** The failure: `incomplete`, `unreachable`, or the processor's decline code. */
export type ProcessorProblem = { readonly problem: string }

export type ProcessorHandle = {
  /** Validates the fields and shows their errors. Called at once when the buyer pays. */
  check(): Promise<ProcessorProblem | undefined>
  /** Turns the entered card into a confirmation token for one payment. */
  token(buyer: {
    readonly name: string | null
    readonly email: string | null
  }): Promise<{ readonly id: string } | ProcessorProblem>
}

/** The processors' modules by name; each loads at most once at a time. */
export type Processors = { readonly stripe?: () => Promise<ProcessorModule> }
