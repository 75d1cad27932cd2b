import type { TaxSettings } from '@tollgate/contract/billing-types'

type Said = Pick<TaxSettings, 'provider' | 'effectiveRegistrations' | 'legalName' | 'address' | 'taxId'>

/** What an invoice can lack of who its seller is. */
export type Gap = 'legalName' | 'address' | 'taxId'

/**
 * What invoices lack of who the seller is; nothing where they say enough. An address every one of them needs; a tax number
 * only that of a seller who collects tax. A legal name is told of beside those alone: where it is the same as the name of the
 * organization, nobody has to say it.
 */
export function gapsOf({ provider, effectiveRegistrations, legalName, address, taxId }: Said): Gap[] {
  const collects = provider === 'stripe' || (provider === 'table' && effectiveRegistrations.length > 0)
  const needed: Gap[] = [...(address ? [] : ['address' as const]), ...(collects && !taxId ? ['taxId' as const] : [])]
  return needed.length > 0 && !legalName ? ['legalName', ...needed] : needed
}
