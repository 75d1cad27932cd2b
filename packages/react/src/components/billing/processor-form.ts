import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import type { ComponentType, Ref } from 'react'

/**
 * What pays by a processor that has fields and a script of its own, so that no card ever comes near us. It is loaded when a
 * checkout of it is shown, and by no other page.
 */
export type ProcessorModule = {
  readonly Form: ComponentType<ProcessorFormProps>
  /**
   * Lets the buyer confirm their payment, as their bank wants it; resolves when they have answered, whatever they said.
   * Rejects where the processor's script cannot be had.
   */
  confirmAction(asked: { publishableKey: string; clientSecret: string; locale: string }): Promise<void>
}

export type ProcessorFormProps = {
  readonly publishableKey: string
  readonly locale: string
  readonly checkout: Pick<CheckoutPublic, 'totalAmount' | 'currency' | 'isPaymentRequired' | 'product'>
  readonly handle: Ref<ProcessorHandle>
  /** Its fields can be used. */
  onReady(): void
  /** They cannot: something keeps its script from being loaded. */
  onFailed(): void
  /** Something was typed. */
  onChange(): void
}

/** What went wrong: `incomplete`, `unreachable`, or the processor's code of a decline. */
export type ProcessorProblem = { readonly problem: string }

export type ProcessorHandle = {
  /** Looks at what was typed; says beside its fields what is missing there. Called at once when the buyer pays. */
  check(): Promise<ProcessorProblem | undefined>
  /** Turns what was typed into a confirmation token, for one payment. */
  token(buyer: {
    readonly name: string | null
    readonly email: string | null
  }): Promise<{ readonly id: string } | ProcessorProblem>
}

/** The modules of processors by their names; each is asked for at most once at a time. */
export type Processors = { readonly stripe?: () => Promise<ProcessorModule> }
