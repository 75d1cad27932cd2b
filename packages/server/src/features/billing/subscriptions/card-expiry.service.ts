import { after } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Tx } from '../../../foundation/db/database.ts'
import { type JobHandler, restart, sweepPeriod } from '../../../foundation/jobs.ts'
import { enqueueMail } from '../../../foundation/mail/mail.jobs.ts'
import { findMethodFor } from '../customer/payment-method.repository.ts'
import { listGoingOn, type SubscriptionRow } from '../order/subscription.repository.ts'
import { payLinkTo } from '../settlement/pay-link.ts'
import { type Card, firstCardTold, listCardsTold, noteTold, notices } from './card-expiry.repository.ts'
import { subscriberOf } from './life-mails.ts'

/*
 * A card pays through the last day of its month. Its owner gets a mail when that month begins, and another when it is
 * over. Cards have no jobs of their own: an index lists them by their month and their last notice, and the scan looks at
 * each card once for each of the two mails, whether it pays for a subscription then or not.
 */

const jobId = 'tell-card-expiry'

/** Cards of one run of the job. */
const cardsAtOnce = 100

type Month = Pick<Card, 'expYear' | 'expMonth'>

const beginOf = ({ expYear, expMonth }: Month): Date => new Date(Date.UTC(expYear, expMonth - 1, 1))
const endOf = ({ expYear, expMonth }: Month): Date => new Date(Date.UTC(expYear, expMonth, 1))
const lastDayOf = ({ expYear, expMonth }: Month): Date => new Date(Date.UTC(expYear, expMonth, 0))

const isOn = ({ config: { billing } }: Pick<Context, 'config'>): boolean =>
  billing !== false && billing.reminders.cardExpiry

/** When the next card has news for its owner. */
export async function nextCardNotice(ctx: Pick<Context, 'config' | 'db'>): Promise<Date | undefined> {
  if (!isOn(ctx)) return undefined
  const [untold, expiring] = await Promise.all([
    firstCardTold(ctx.db, notices.none),
    firstCardTold(ctx.db, notices.expiring),
  ])
  const moments = [...(untold ? [beginOf(untold)] : []), ...(expiring ? [endOf(expiring)] : [])]
  return moments.sort((a, b) => a.getTime() - b.getTime())[0]
}

/** Schedules the job, if a card has news before the next sweep. */
export async function scheduleCardNotices(ctx: Context, nextSweep: Date): Promise<void> {
  const next = await nextCardNotice(ctx)
  if (next && next <= nextSweep)
    await ctx.transaction((tx) => restart(tx, ctx.clock.now(), { id: jobId, kind: 'tell-card-expiry' }))
}

/** Tells the owners of cards that expire this month or have expired; runs again at once while there are more. */
export function createCardNoticeHandler(ctx: Context): JobHandler {
  return async () => {
    if (!isOn(ctx)) return undefined
    const now = ctx.clock.now()
    const month = { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 }
    const expiring = await listCardsTold(ctx.db, notices.none, month, cardsAtOnce)
    // The month 0 is before any of this year.
    const expired = await listCardsTold(ctx.db, notices.expiring, { ...month, month: month.month - 1 }, cardsAtOnce)
    const failures: unknown[] = []
    for (const card of [...expired, ...expiring])
      await tell(ctx, card, now).catch((error) => {
        ctx.log.error({ err: error, paymentMethod: card.id }, 'The expiry of a card cannot be told')
        failures.push(error)
      })
    if (failures.length > 0) throw failures[0]
    if (expiring.length === cardsAtOnce || expired.length === cardsAtOnce) return now
    const next = await nextCardNotice(ctx)
    return next && next > now && next <= after(now, sweepPeriod) ? next : undefined
  }
}

/** Tells the owner of one card, where it pays for a subscription that goes on. */
async function tell(ctx: Context, card: Card, now: Date): Promise<void> {
  await ctx.transaction(async (tx) => {
    const isExpired = endOf(card) <= now
    if (!(await noteTold(tx, card.id, isExpired ? notices.expired : notices.expiring))) return
    const paid = await findPaidBy(tx, card)
    const subscriber = paid && (await subscriberOf(tx, paid))
    if (!subscriber) return
    const template = isExpired ? 'card-expired' : 'card-expiring'
    await enqueueMail(ctx, tx, {
      id: `${template} ${card.id}`,
      ...subscriber.address,
      template,
      data: {
        ...subscriber.data,
        url: payLinkTo(ctx, { kind: 'card', id: paid.id }).url,
        lastFour: card.lastFour,
        validUntil: lastDayOf(card).toISOString(),
      },
    })
  })
}

/** The subscription that a card is charged for next; undefined where it pays for none. */
async function findPaidBy(tx: Tx, { id, organizationId, customerId }: Card): Promise<SubscriptionRow | undefined> {
  for (const row of await listGoingOn(tx, organizationId, customerId)) {
    const method = await findMethodFor(tx, organizationId, customerId, row.paymentMethodId)
    if (method?.id === id) return row
  }
  return undefined
}
