import type { SaleTax } from '@tollgate/contract/billing-types'
import type { Config } from '../../../foundation/config/config.ts'
import { createStripeTax } from './stripe-tax.ts'
import { type TaxAsked, taxByTable } from './tax-rules.ts'

declare module '../../../foundation/context.ts' {
  interface Ports {
    /** The source of the tax on a sale. */
    readonly tax: TaxProvider
  }
}

/**
 * The source of the tax on a sale. Gives no answer if the buyer's address is incomplete. `pure` providers answer
 * inside transactions; the others are called only outside (`taxes.ts`).
 */
export type TaxProvider =
  | { readonly kind: 'none' }
  | { readonly kind: 'pure'; taxOn(asked: TaxAsked): SaleTax | undefined }
  /** Rejects if the provider does not answer. */
  | { readonly kind: 'asked'; taxOn(asked: TaxAsked): Promise<SaleTax | undefined> }

/** The provider that the configuration names. */
export function createTaxProvider(
  config: Pick<Config, 'billing' | 'stripe'>,
  fetchFunction: typeof fetch,
): TaxProvider {
  const provider = config.billing === false ? 'none' : config.billing.tax.provider
  if (provider === 'table') return { kind: 'pure', taxOn: taxByTable }
  if (provider === 'stripe' && config.stripe) return createStripeTax(config.stripe, fetchFunction)
  return { kind: 'none' }
}
