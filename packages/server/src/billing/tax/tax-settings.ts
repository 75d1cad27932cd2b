import type { ParsedBillingBody, TaxRegistration, TaxSettings } from '@tollgate/contract/billing-types'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { InputIssue } from '../../error.ts'
import { type Address, checkedAddress } from '../customer/address.ts'
import { checkedTaxId } from '../customer/tax-id.ts'
import { inBody } from '../invalid.ts'
import { findMerchant, type MerchantRow } from '../seller/seller.repository.ts'
import { checkedRegistrations } from './registrations.ts'
import type { TaxAsked } from './tax-rules.ts'

/** What an organization has said of its taxes, as it is stored beside its other settings. */
export type StoredTaxSettings = {
  readonly registrations: readonly TaxRegistration[] | null
  readonly legalName: string | null
  readonly address: Address | null
  readonly taxId: string | null
  /** Not there in what was stored before it could be said. */
  readonly documentNote?: string | null
}

const nothingSaid: StoredTaxSettings = { registrations: null, legalName: null, address: null, taxId: null }

/** Of an organization; who has said nothing has nothing. */
export const storedTaxSettings = (merchant: Pick<MerchantRow, 'taxSettings'> | undefined): StoredTaxSettings =>
  (merchant?.taxSettings as StoredTaxSettings | null | undefined) ?? nothingSaid // written from `checkedTaxSettings`

/** Where and from where an organization sells, as far as taxes ask. */
export async function readSellersTax(
  ctx: Pick<Context, 'config'>,
  db: Db,
  organizationId: string,
): Promise<TaxAsked['seller']> {
  const stored = storedTaxSettings(await findMerchant(db, organizationId))
  return { country: stored.address?.country ?? null, registrations: effective(ctx.config, stored) }
}

const effective = (config: Config, { registrations }: StoredTaxSettings): readonly TaxRegistration[] =>
  registrations ?? (config.billing === false ? [] : config.billing.tax.registrations)

/** As answers show them. */
export const toTaxSettings = ({ config }: Pick<Context, 'config'>, stored: StoredTaxSettings): TaxSettings => ({
  provider: config.billing === false ? 'none' : config.billing.tax.provider,
  registrations: stored.registrations === null ? null : [...stored.registrations],
  effectiveRegistrations: [...effective(config, stored)],
  legalName: stored.legalName,
  address: stored.address,
  taxId: stored.taxId,
  documentNote: stored.documentNote ?? null,
})

/** The settings as they will be, and all that is wrong. What is not named stays, and null takes away. */
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
  }
  const issues = (places?.issues ?? []).map(({ index, member, message }) =>
    inBody(['registrations', index, member], message),
  )
  if (place) issues.push(...place.issues)
  if (taxId !== null && !address) issues.push(inBody('tax_id', 'A tax ID needs an address: its form is the country’s.'))
  else if (taxId !== null && !checked) issues.push(inBody('tax_id', 'Invalid tax ID.'))
  return { settings, issues }
}
