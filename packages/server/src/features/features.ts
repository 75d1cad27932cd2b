import type { Config } from '../foundation/config/config.ts'
import type { Context } from '../foundation/context.ts'
import type { Id } from '../foundation/db/database.ts'
import type { Feature } from '../foundation/http/feature.ts'
import type { JobHandler, JobKind } from '../foundation/jobs.ts'
import { createMailHandler, mailsCanLeave } from '../foundation/mail/mail.jobs.ts'
import type { SealedColumn } from '../foundation/sealed-columns.ts'
import { feature as catalog } from './billing/catalog/feature.ts'
import { feature as checkout } from './billing/checkout/feature.ts'
import { feature as customer } from './billing/customer/feature.ts'
import { attachDocuments } from './billing/documents/document.service.ts'
import { feature as documents } from './billing/documents/feature.ts'
import { feature as billing } from './billing/feature.ts'
import { feature as live } from './billing/live/feature.ts'
import { findMerchantLook } from './billing/merchant/merchant-look.service.ts'
import { feature as payments } from './billing/payments/feature.ts'
import { feature as processorEvents } from './billing/processor-events/feature.ts'
import { feature as refund } from './billing/refund/feature.ts'
import { feature as renewals } from './billing/renewals/feature.ts'
import { feature as settlement } from './billing/settlement/feature.ts'
import { feature as subscriptions } from './billing/subscriptions/feature.ts'
import { feature as timeline } from './billing/timeline/feature.ts'
import { feature as webhooks } from './billing/webhooks/feature.ts'
import { feature as identity } from './identity/feature.ts'
import { feature as jwt } from './jwt/feature.ts'
import { feature as magicLink } from './magic-link/feature.ts'
import { feature as organization, teams } from './organization/feature.ts'
import { feature as pictures } from './pictures/feature.ts'
import { feature as social } from './social/feature.ts'
import { feature as username } from './username/feature.ts'

/** Mails, with the documents attached to them. */
const mail = {
  name: 'mail',
  // They wait for as long as no mail server is configured.
  sealed: [{ table: 'job', column: 'payload', purpose: '', where: { column: 'kind', in: ['mail', 'account-mail'] } }],
  async recurring(ctx) {
    if (!mailsCanLeave(ctx)) ctx.log.warn('Neither SMTP_URL nor sendEmail is set: mails wait in the queue')
  },
  jobs: {
    mail(ctx) {
      const attach = (ids: readonly string[]) => attachDocuments(ctx, ids)
      const findSeller = (id: Id<'organization'>) => findMerchantLook(ctx.db, id)
      return mailsCanLeave(ctx) ? createMailHandler(ctx, { attachDocuments: attach, findSeller }) : undefined
    },
  },
} as const satisfies Feature

const all = [
  mail,
  pictures,
  identity,
  username,
  social,
  magicLink,
  jwt,
  organization,
  teams,
  billing,
  payments,
  catalog,
  customer,
  documents,
  settlement,
  subscriptions,
  renewals,
  checkout,
  webhooks,
  refund,
  processorEvents,
  live,
  timeline,
] as const

/** Every feature, from the ground up. */
export const features: readonly Feature[] = all

/** The columns whose values are sealed anew after a change of SECRET. */
export const sealedColumns: readonly SealedColumn[] = features.flatMap(({ sealed = [] }) => sealed)

/** The names that rows of the contract and groups of pages may give. A name without a value does not compile. */
export type FeatureName = (typeof all)[number]['name']

/** The features that a configuration enables. */
export const featuresOn = (config: Config): readonly Feature[] => features.filter(({ isOn }) => isOn?.(config) ?? true)

const byName: ReadonlyMap<string, Feature> = new Map(features.map((feature) => [feature.name, feature]))

/** Whether a configuration enables a feature. */
export const isFeatureOn = (config: Config, name: FeatureName): boolean => byName.get(name)?.isOn?.(config) ?? true

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
