import { feature as catalog } from '../features/billing/catalog/feature.ts'
import { feature as checkout } from '../features/billing/checkout/feature.ts'
import { feature as customer } from '../features/billing/customer/feature.ts'
import { attachDocuments } from '../features/billing/documents/document.service.ts'
import { feature as documents } from '../features/billing/documents/feature.ts'
import { feature as payments } from '../features/billing/payments/feature.ts'
import { feature as processorEvents } from '../features/billing/processor-events/feature.ts'
import { feature as refund } from '../features/billing/refund/feature.ts'
import { feature as webhooks } from '../features/billing/webhooks/feature.ts'
import { feature as identity } from '../features/identity/feature.ts'
import { feature as jwt } from '../features/jwt/feature.ts'
import { feature as magicLink } from '../features/magic-link/feature.ts'
import { feature as organization } from '../features/organization/feature.ts'
import type { Context } from '../foundation/context.ts'
import type { Feature } from '../foundation/feature.ts'
import type { JobHandler, JobKind } from '../foundation/jobs.ts'
import { createMailHandler, mailsCanLeave } from '../foundation/mail/mail.jobs.ts'

/** Mails, with the documents attached to them. */
const mail: Feature = {
  async recurring(ctx) {
    if (!mailsCanLeave(ctx)) ctx.log.warn('Neither SMTP_URL nor sendEmail is set: mails wait in the queue')
  },
  jobs: {
    mail: (ctx) => (mailsCanLeave(ctx) ? createMailHandler(ctx, (ids) => attachDocuments(ctx, ids)) : undefined),
  },
}

/** Every feature that has jobs, sweeps or hooks, from the ground up. */
export const features: readonly Feature[] = [
  mail,
  identity,
  magicLink,
  jwt,
  organization,
  payments,
  catalog,
  customer,
  documents,
  checkout,
  webhooks,
  refund,
  processorEvents,
]

/** The handlers of all kinds of jobs except the sweep. */
export function jobHandlers(ctx: Context): Partial<Record<JobKind, JobHandler>> {
  const makers = features.flatMap(({ jobs }) => Object.entries(jobs ?? {}))
  return Object.fromEntries(
    makers.flatMap(([kind, make]) => {
      const handler = make(ctx)
      return handler ? [[kind, handler]] : []
    }),
  )
}
