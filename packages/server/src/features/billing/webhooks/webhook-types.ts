import {
  accountEventTypes,
  billingRow,
  peopleEventTypes,
  sentAs,
  type WebhookEventType,
  webhookRow,
} from '@tollgate/contract/events'
import type { Id } from '../../../foundation/db/database.ts'
import type { EventRow } from '../../../foundation/outbox.ts'
import { readsObjectOf } from '../seller/event-scopes.ts'
import type { Seller } from '../seller/seller.service.ts'

const ofPeople: ReadonlySet<string> = new Set(peopleEventTypes)
const ofAccounts: ReadonlySet<string> = new Set(accountEventTypes)

export const isWebhookType = (type: string): type is WebhookEventType => webhookRow(type)?.docs !== undefined

const isBilling = (type: string): boolean => billingRow(type) !== undefined

/** Splits types by their source: sales, people of organizations, accounts. */
export const byKind = (types: readonly WebhookEventType[]) => ({
  billing: types.filter(isBilling),
  ofPeople: types.filter((type) => ofPeople.has(type)),
  ofAccounts: types.filter((type) => ofAccounts.has(type)),
})

/** The owner of an endpoint, and its subscription. */
export type Listener = {
  readonly organizationId: Id<'organization'>
  readonly coversInstallation: boolean
  readonly events: readonly WebhookEventType[]
}

type Recorded = Pick<EventRow, 'type' | 'merchantId'>

/** The type that endpoints see: `organization.updated` is both a billing type and an organization's own change. */
export const webhookTypeOf = ({ type, merchantId }: Recorded): string => (merchantId === null ? sentAs(type) : type)

/** Whether an endpoint gets an event: its own organization's, or any person's if it covers the installation. */
export function isFor(listener: Listener, event: Recorded & Pick<EventRow, 'organizationId'>): boolean {
  const { merchantId, organizationId } = event
  const type = webhookTypeOf(event)
  if (!isWebhookType(type) || !listener.events.includes(type)) return false
  if (merchantId !== null) return isBilling(type) && merchantId === listener.organizationId
  if (ofPeople.has(type)) return listener.coversInstallation || organizationId === listener.organizationId
  return ofAccounts.has(type) && listener.coversInstallation
}

type Reader = Pick<Seller, 'by' | 'holds' | 'readsAudit'>

/** Events about people need the audit log permission, or a token that may change the organization. */
const mayHearOfPeople = ({ by, holds, readsAudit }: Reader): boolean =>
  readsAudit || (by === 'token' && holds('organizations:write'))

/**
 * Whether a caller may read a delivery's payload: only what other calls would show them. Only installation-wide
 * endpoints get account events, and `mayCoverInstallation` guards those.
 */
export const mayHear = (reader: Reader, type: string): boolean =>
  ofAccounts.has(type) || (ofPeople.has(type) ? mayHearOfPeople(reader) : readsObjectOf(reader, type))

/**
 * Whether a caller may subscribe an endpoint to a type. A token with `webhooks:write` may choose every billing event, as
 * clients of such APIs expect. A member may choose what they may read.
 */
export const mayLetHear = (reader: Reader, type: string): boolean =>
  (reader.by === 'token' && isBilling(type)) || mayHear(reader, type)
