import type { SaleTax } from '@tollgate/contract/billing-types'
import type { Config } from '../../config.ts'
import { createStripeTax } from './stripe-tax.ts'
import { type TaxAsked, taxByTable } from './tax-rules.ts'

/**
 * Who says how a sale is taxed. Nothing is said of a sale whose address does not tell enough. Those who can be asked at once
 * are asked where the sale is written; the others only outside of transactions (`taxes.ts`).
 */
export type TaxProvider =
  | { readonly kind: 'none' }
  | { readonly kind: 'pure'; taxOn(asked: TaxAsked): SaleTax | undefined }
  /** Rejects where nobody answers. */
  | { readonly kind: 'asked'; taxOn(asked: TaxAsked): Promise<SaleTax | undefined> }

/** The one that the configuration names. */
export function createTaxProvider(
  config: Pick<Config, 'billing' | 'stripe'>,
  fetchFunction: typeof fetch,
): TaxProvider {
  const provider = config.billing === false ? 'none' : config.billing.tax.provider
  if (provider === 'table') return { kind: 'pure', taxOn: taxByTable }
  if (provider === 'stripe' && config.stripe) return createStripeTax(config.stripe, fetchFunction)
  return { kind: 'none' }
}
