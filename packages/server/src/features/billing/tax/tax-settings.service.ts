import { actorOf, emit } from '../../../foundation/outbox.ts'
import { countryRates, ratesAsOf, ratesSource, stateRates } from '../../../foundation/tax/rates.ts'
import { requireOrganization } from '../../organization/membership.service.ts'
import { emitBilling } from '../events.ts'
import { invalid } from '../invalid.ts'
import { findMerchant, updateMerchantRow } from '../merchant/merchant.repository.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { readMerchant, requireOwn, requireStillMay } from '../seller/merchant.service.ts'
import { checkedTaxSettings, storedTaxSettings, toTaxSettings } from './tax-settings.ts'

/** How an organization collects tax; answers NOT_FOUND for another organization. */
export const getTaxSettings: BillingHandler<'getTaxSettings'> = async ({ ctx, seller, params: { id } }) => {
  requireOwn(seller, id)
  return toTaxSettings(ctx, storedTaxSettings(await findMerchant(ctx.db, id)))
}

/**
 * Changes how an organization collects tax, under its lock. Refuses a caller who has lost the right meanwhile. Open
 * checkouts use the new settings from their next change on, and at the latest when they are confirmed.
 */
export const updateTaxSettings: BillingHandler<'updateTaxSettings'> = async ({
  ctx,
  seller,
  current,
  params: { id },
  body,
}) => {
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
      await updateMerchantRow(tx, id, { taxSettings: settings, modifiedAt: now })
      const actorId = current ? actorOf(current) : null
      const data = { fields: 'tax' }
      await emit(tx, now, { type: 'organization.updated', actorId, userId: null, organizationId: id, data })
      const scope = { organizationId: id, actorId: seller.actorId }
      await emitBilling(tx, now, scope, 'organization.updated', await readMerchant(ctx, tx, id))
    }
    return toTaxSettings(ctx, settings)
  })
}

/** The standard rates of this version, by country and state. */
export const listTaxRates: BillingHandler<'listTaxRates'> = async () => {
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
