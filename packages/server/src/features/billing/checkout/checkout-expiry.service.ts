import { after, hours } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { type JobHandler, restart } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { type CheckoutRow, expireCheckouts, forgetCheckouts, nextCheckoutExpiry } from './checkout.repository.ts'
import { emitCheckout, readSales } from './checkout-view.ts'

/** A fixed id, so that all processes share one job. */
const jobId = 'expire-checkouts'

/** A small batch, because it blocks all other writes on SQLite. */
const batch = 100

/**
 * Schedules the expiry of open checkouts that end before the next sweep (CHK-9). From their end on, buyers are refused
 * even if the job is late.
 */
export async function scheduleCheckoutExpiry(ctx: Context, nextSweep: Date): Promise<void> {
  const next = await nextCheckoutExpiry(ctx.db)
  if (next && next <= nextSweep)
    await ctx.transaction((tx) => restart(tx, ctx.clock.now(), { id: jobId, kind: 'expire-checkouts' }))
}

/** Expires checkouts and runs again for the next one. The sweep schedules those that end in more than an hour. */
export function createCheckoutExpiryHandler(ctx: Context): JobHandler {
  return async () => {
    const now = ctx.clock.now()
    if ((await expireBatch(ctx)) === batch) return now
    const next = await nextCheckoutExpiry(ctx.db)
    return next && next <= after(now, hours(1)) ? next : undefined
  }
}

/** Expires one seller's overdue checkouts; returns when the next one ends, if any. */
export async function endCheckouts(ctx: Context, organizationId: Id<'organization'>): Promise<Date | undefined> {
  while ((await expireBatch(ctx, organizationId)) === batch);
  return nextCheckoutExpiry(ctx.db, organizationId)
}

/**
 * Deletes visitors' abandoned checkouts and their events some days after expiry. Any visitor may start as many as the
 * rate limits allow, so they would fill the database. Both expiry events still go out, because subscribers may wait
 * for either.
 */
export async function forgetVisits(ctx: Context): Promise<void> {
  for (;;) {
    const forgotten = await ctx.transaction((tx) => forgetCheckouts(tx, ctx.clock.now(), batch))
    if (forgotten < batch) return
  }
}

async function expireBatch(ctx: Context, organizationId?: Id<'organization'>): Promise<number> {
  return ctx.transaction(async (tx) => {
    const expired = await expireCheckouts(tx, ctx.clock.now(), batch, organizationId)
    for (const [sellerId, rows] of bySeller(expired)) {
      const sales = await readSales(tx, sellerId, rows)
      for (const row of rows) {
        const sale = proven(sales.get(row.id), 'each checkout has its sale')
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
