import type { ParsedBillingBody, TaxRegistration, TaxSettings } from '@tollgate/contract/billing-types'
import type { Config } from '../../../foundation/config/config.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Db, Id } from '../../../foundation/db/database.ts'
import type { StoredTaxSettings } from '../../../foundation/db/tables/seller.ts'
import type { InputIssue } from '../../../foundation/error.ts'
import { checkedRegistrations } from '../../../foundation/tax/registrations.ts'
import { checkedAddress } from '../customer/address.ts'
import { checkedTaxId } from '../customer/tax-id.ts'
import { inBody } from '../invalid.ts'
import { findMerchant, type MerchantRow } from '../merchant/merchant.repository.ts'
import type { TaxAsked } from './tax-rules.ts'

const nothingSaid: StoredTaxSettings = { registrations: null, legalName: null, address: null, taxId: null }

/** The tax settings of an organization; the defaults if it has stored none. */
export const storedTaxSettings = (merchant: Pick<MerchantRow, 'taxSettings'> | undefined): StoredTaxSettings =>
  merchant?.taxSettings ?? nothingSaid

/** The seller's location and registrations, as tax calculations need them. */
export async function readSellersTax(
  ctx: Pick<Context, 'config'>,
  db: Db,
  organizationId: Id<'organization'>,
): Promise<TaxAsked['seller']> {
  const stored = storedTaxSettings(await findMerchant(db, organizationId))
  return { country: stored.address?.country ?? null, registrations: effective(ctx.config, stored) }
}

const effective = (config: Config, { registrations }: StoredTaxSettings): readonly TaxRegistration[] =>
  registrations ?? (config.billing === false ? [] : config.billing.tax.registrations)

/** The settings in the form of the API. */
export const toTaxSettings = ({ config }: Pick<Context, 'config'>, stored: StoredTaxSettings): TaxSettings => ({
  provider: config.billing === false ? 'none' : config.billing.tax.provider,
  registrations: stored.registrations === null ? null : [...stored.registrations],
  effectiveRegistrations: [...effective(config, stored)],
  legalName: stored.legalName,
  address: stored.address,
  taxId: stored.taxId,
  documentNote: stored.documentNote ?? null,
  taxBehavior: stored.taxBehavior ?? 'exclusive',
})

/** The settings after a change, and all its faults. A missing member stays as it is, and null removes one. */
export function checkedTaxSettings(
  asked: ParsedBillingBody<'updateTaxSettings'>,
  before: StoredTaxSettings,
): { readonly settings: StoredTaxSettings; readonly issues: readonly InputIssue[] } {
  const places = asked.registrations && checkedRegistrations(asked.registrations)
  const place = asked.address && checkedAddress(asked.address, 'address')
  const address = place === undefined ? before.address : (place?.address ?? null)
  const taxId = asked.taxId === undefined ? before.taxId : asked.taxId
  const checked = taxId === null ? null : address && checkedTaxId(taxId, address.country)
  const settings: StoredTaxSettings = {
    registrations: places === undefined ? before.registrations : (places?.registrations ?? null),
    legalName: asked.legalName === undefined ? before.legalName : asked.legalName,
    address,
    taxId: checked?.[0] ?? null,
    documentNote: (asked.documentNote === undefined ? before.documentNote : asked.documentNote) ?? null,
    taxBehavior: asked.taxBehavior ?? before.taxBehavior ?? 'exclusive',
  }
  const issues = (places?.issues ?? []).map(({ index, member, message }) =>
    inBody(['registrations', index, member], message),
  )
  if (place) issues.push(...place.issues)
  if (taxId !== null && !address)
    issues.push(inBody('tax_id', 'A tax ID requires an address, whose country defines its format.'))
  else if (taxId !== null && !checked) issues.push(inBody('tax_id', 'Invalid tax ID.'))
  return { settings, issues }
}
