import { trialIntervals } from '@tollgate/contract/billing-schemas'
import { id, integer, nullable, oneOf, text, time } from './columns.ts'

/** The trial that a product offers, or a link or a checkout in its place: a length, or a last moment. */
export const trialColumns = {
  trialInterval: nullable(oneOf(trialIntervals)),
  trialIntervalCount: nullable(integer()),
  trialUntil: nullable(time()),
}

/** What identifies the buyer of a trial: each has one trial with a seller. */
export const trialKeyKinds = ['customer', 'mailbox', 'account', 'organization', 'card'] as const

export const trialTables = {
  trialRedemption: {
    id: id('trialRedemption'),
    organizationId: id('organization'),
    /** The checkout that begins the trial; its failed payment gives the trial back. */
    checkoutId: nullable(id('checkout')),
    kind: oneOf(trialKeyKinds),
    /** A hash: the row outlives the customer, and holds nothing that names them. */
    keyHash: text(),
    createdAt: time(),
  },
} as const
