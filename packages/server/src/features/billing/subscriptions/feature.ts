import { after } from '../../../foundation/clock.ts'
import { isBillingServed } from '../../../foundation/config/config.ts'
import type { Feature } from '../../../foundation/http/feature.ts'
import { sweepPeriod } from '../../../foundation/jobs.ts'
import { createCardNoticeHandler, nextCardNotice, scheduleCardNotices } from './card-expiry.service.ts'
import { createInvoiceHandler } from './collect-invoice.service.ts'
import {
  createKeptHandler,
  createListHandler,
  createNoticeHandler,
  nextPriceNotice,
  schedulePriceNotices,
} from './price-notices.service.ts'
import { createFindHandler, createRenewHandler, scheduleRenewals } from './renew.service.ts'
import { nextAction } from './renewal.repository.ts'
import { createRetryHandler } from './retry-past-due.service.ts'

export const feature = {
  name: 'subscriptions',
  isOn: isBillingServed,
  jobs: {
    'find-renewals': createFindHandler,
    'renew-subscriptions': createRenewHandler,
    'retry-past-due': createRetryHandler,
    'collect-invoice': createInvoiceHandler,
    'tell-card-expiry': createCardNoticeHandler,
    'list-price-change': createListHandler,
    'tell-price-changes': createNoticeHandler,
    'tell-price-kept': createKeptHandler,
  },
  // A subscription that fails stays due, and must not hide the next one.
  nextDue: (ctx) =>
    Promise.all([
      nextAction(ctx.db, { after: ctx.clock.now() }),
      nextCardNotice(ctx),
      nextPriceNotice(ctx, ctx.clock.now()),
    ]),
  sweep: async (ctx, now) => {
    const nextSweep = after(now, sweepPeriod)
    await scheduleRenewals(ctx, nextSweep)
    await scheduleCardNotices(ctx, nextSweep)
    await schedulePriceNotices(ctx, nextSweep)
  },
} as const satisfies Feature
