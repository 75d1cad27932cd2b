import { after, hours } from '../clock.ts'
import type { Context } from '../context.ts'
import type { JobHandler } from '../jobs.ts'
import { type CheckoutRow, expireCheckouts, nextCheckoutExpiry } from './checkout.repository.ts'
import { checkoutLife } from './checkout.service.ts'
import { emitCheckout, readSales } from './checkout-view.ts'

/** The one recurring job: its id keeps it single, whatever number of processes run. */
export const checkoutExpiryJobId = 'expire-checkouts'

/** Few at a time, because nobody else writes on SQLite meanwhile. */
const batch = 100

/**
 * Ends open checkouts with their time (CHK-9). Runs again when the next one is due; at the latest after the life of those
 * that are made meanwhile, or an hour.
 */
export function createCheckoutExpiryHandler(ctx: Context): JobHandler {
  return async () => {
    const now = ctx.clock.now()
    const next = await nextCheckoutExpiry(ctx.db)
    if (next && next <= now && (await expireBatch(ctx)) === batch) return now
    const due = await nextCheckoutExpiry(ctx.db)
    const latest = after(now, Math.min(checkoutLife(ctx), hours(1)))
    return due && due < latest ? due : latest
  }
}

async function expireBatch(ctx: Context): Promise<number> {
  return ctx.transaction(async (tx) => {
    const expired = await expireCheckouts(tx, ctx.clock.now(), batch)
    for (const [organizationId, rows] of bySeller(expired)) {
      const sales = await readSales(tx, organizationId, rows)
      for (const row of rows) {
        const sale = sales.get(row.id)!
        await emitCheckout(ctx, tx, null, 'checkout.updated', row, sale)
        await emitCheckout(ctx, tx, null, 'checkout.expired', row, sale)
      }
    }
    return expired.length
  })
}

function bySeller(rows: readonly CheckoutRow[]): Map<string, CheckoutRow[]> {
  const found = new Map<string, CheckoutRow[]>()
  for (const row of rows) found.set(row.organizationId, [...(found.get(row.organizationId) ?? []), row])
  return found
}
