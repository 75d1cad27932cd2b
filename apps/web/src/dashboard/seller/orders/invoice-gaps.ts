import type { TaxSettings } from '@tollgate/contract/billing-types'

type Said = Pick<TaxSettings, 'provider' | 'effectiveRegistrations' | 'legalName' | 'address' | 'taxId'>

/** What an invoice can lack of who its seller is. */
export type Gap = 'legalName' | 'address' | 'taxId'

/**
 * The seller's missing invoice details; empty if they are complete. Every invoice needs an address; a tax number is
 * needed only if tax is collected. A missing legal name is reported only beside those, because it may equal the
 * organization's name.
 */
export function gapsOf({ provider, effectiveRegistrations, legalName, address, taxId }: Said): Gap[] {
  const collects = provider === 'stripe' || (provider === 'table' && effectiveRegistrations.length > 0)
  const needed: Gap[] = [...(address ? [] : ['address' as const]), ...(collects && !taxId ? ['taxId' as const] : [])]
  return needed.length > 0 && !legalName ? ['legalName', ...needed] : needed
}
