import type { BillingAnswer, ParsedBillingBody, TaxSettings } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { SessionRow } from '../../db/session-row.ts'
import { toJson } from '../../db/tables.ts'
import { requireOrganization } from '../../organization/membership.service.ts'
import { actorOf, emit } from '../../outbox.ts'
import { emitBilling } from '../events.ts'
import { invalid } from '../invalid.ts'
import { updateMerchantRow } from '../seller/merchant.repository.ts'
import { readMerchant, requireOwn, requireStillMay } from '../seller/merchant.service.ts'
import { findMerchant } from '../seller/seller.repository.ts'
import type { Seller } from '../seller/seller.service.ts'
import { countryRates, ratesAsOf, ratesSource, stateRates } from './rates.ts'
import { checkedTaxSettings, storedTaxSettings, toTaxSettings } from './tax-settings.ts'

/** How an organization collects tax; any other organization is not found. */
export async function getTaxSettings(ctx: Context, seller: Seller, id: string): Promise<TaxSettings> {
  requireOwn(seller, id)
  return toTaxSettings(ctx, storedTaxSettings(await findMerchant(ctx.db, id)))
}

/**
 * Changes how an organization collects tax, under its lock; whoever has lost the right meanwhile is refused. Open checkouts
 * are taxed by it from their next change on, at the latest when they are confirmed.
 */
export async function updateTaxSettings(
  ctx: Context,
  seller: Seller,
  current: SessionRow | undefined,
  id: string,
  body: ParsedBillingBody<'updateTaxSettings'>,
): Promise<TaxSettings> {
  requireOwn(seller, id)
  const now = ctx.clock.now()
  return ctx.transaction(async (tx) => {
    await requireOrganization(tx, id, 'RESOURCE_NOT_FOUND')
    await requireStillMay(ctx, tx, seller, current)
    const before = storedTaxSettings(await findMerchant(tx, id))
    const { settings, issues } = checkedTaxSettings(body, before)
    if (issues.length > 0) throw invalid(...issues)
    const fields = Object.keys(body)
    if (fields.length > 0) {
      await updateMerchantRow(tx, id, { taxSettings: toJson(settings), modifiedAt: now })
      const actorId = current ? actorOf(current) : null
      const data = { fields: 'tax' }
      await emit(tx, now, { type: 'organization.updated', actorId, userId: null, organizationId: id, data })
      const scope = { organizationId: id, actorId: seller.actorId }
      await emitBilling(tx, now, scope, 'organization.updated', await readMerchant(ctx, tx, id))
    }
    return toTaxSettings(ctx, settings)
  })
}

/** The standard rates that come with the product, by country and state. */
export function listTaxRates(): BillingAnswer<'listTaxRates'> {
  const ofCountries = Object.entries(countryRates).map(([country, { name, percent }]) => ({
    country,
    state: null,
    name,
    percent,
  }))
  const ofStates = Object.entries(stateRates).map(([state, { name, percent }]) => ({
    country: state.slice(0, 2),
    state,
    name,
    percent,
  }))
  const rates = [...ofCountries, ...ofStates].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  return { asOf: ratesAsOf, source: ratesSource, rates }
}

const placeOf = ({ country, state }: { country: string; state: string | null }): string => state ?? country
