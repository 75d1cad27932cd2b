import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import { findLatestOrder } from '../order/order.repository.ts'
import type { SubscriptionRow } from '../order/subscription.repository.ts'
import { isByInvoice } from '../settlement/invoice.service.ts'
import { addressOf, soldIn } from './dunning-mails.ts'

/** Tells the subscriber that their subscription is paused, and until when. */
export async function mailPaused(ctx: Context, tx: Tx, row: SubscriptionRow): Promise<void> {
  const to = await subscriberOf(tx, row)
  if (!to) return
  const data = { ...to.data, resumesOn: row.resumesAt?.toISOString() ?? null }
  const id = `subscription-paused ${row.id} ${row.version}`
  await enqueueMail(ctx, tx, { id, ...to.address, template: 'subscription-paused', data })
}

/** Tells the subscriber that their subscription has resumed. */
export async function mailResumed(ctx: Context, tx: Tx, row: SubscriptionRow): Promise<void> {
  const to = await subscriberOf(tx, row)
  if (!to) return
  const id = `subscription-resumed ${row.id} ${row.version}`
  const data = { ...to.data, paidBy: isByInvoice(row) ? 'invoice' : 'card' } as const
  await enqueueMail(ctx, tx, { id, ...to.address, template: 'subscription-resumed', data })
}

/** Tells the subscriber that all is paid, and their subscription goes on. */
export async function mailRecovered(ctx: Context, tx: Tx, row: SubscriptionRow): Promise<void> {
  const to = await subscriberOf(tx, row)
  if (!to) return
  const id = `subscription-recovered ${row.id} ${row.version}`
  await enqueueMail(ctx, tx, { id, ...to.address, template: 'subscription-recovered', data: to.data })
}

/** The subscriber as their latest order names them; undefined without an address. */
export async function subscriberOf(tx: Tx, row: SubscriptionRow) {
  const latest = await findLatestOrder(tx, row)
  if (!latest || latest.buyerEmail === null) return undefined
  return { address: addressOf(latest, latest.buyerEmail), data: soldIn(latest) }
}
