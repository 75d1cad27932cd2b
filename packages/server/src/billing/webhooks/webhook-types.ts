import {
  accountEventTypes,
  billingEventTypes,
  organizationEventTypes,
  type WebhookEventType,
  webhookEventTypes,
} from '@tollgate/contract/billing'
import type { EventRow } from '../../outbox.ts'
import { readsObjectOf } from '../event-scopes.ts'
import type { Seller } from '../seller/seller.service.ts'

const billing: ReadonlySet<string> = new Set(billingEventTypes)
const ofOrganizations: ReadonlySet<string> = new Set(organizationEventTypes)
const ofAccounts: ReadonlySet<string> = new Set(accountEventTypes)
const all: ReadonlySet<string> = new Set(webhookEventTypes)

export const isWebhookType = (type: string): type is WebhookEventType => all.has(type)

/** Of some types those of each kind: what is sold, organizations with their people, accounts. */
export const byKind = (types: readonly WebhookEventType[]) => ({
  billing: types.filter((type) => billing.has(type)),
  ofOrganizations: types.filter((type) => ofOrganizations.has(type)),
  ofAccounts: types.filter((type) => ofAccounts.has(type)),
})

/** Who an endpoint belongs to, and what it wants to hear. */
export type Listener = {
  readonly organizationId: string
  readonly coversInstallation: boolean
  readonly events: unknown
}

/** What an endpoint is told; its events are written from the schema of types. */
export const wants = ({ events }: Pick<Listener, 'events'>): readonly WebhookEventType[] => events as WebhookEventType[]

type Recorded = Pick<EventRow, 'type' | 'merchantId'>

/** The type that an event is told under: billing has the name that an organization's own changes are recorded under. */
export const toldAs = ({ type, merchantId }: Recorded): string =>
  merchantId === null && type === 'organization.updated' ? 'organization.changed' : type

/** The type that events of accounts and organizations are recorded under which are told under another. */
export const recordedAs = (type: WebhookEventType): string =>
  type === 'organization.changed' ? 'organization.updated' : type

/** Whether an endpoint is told of an event: of what its own organization sells, and of its people; accounts by leave. */
export function isFor(listener: Listener, event: Recorded & Pick<EventRow, 'organizationId'>): boolean {
  const { merchantId, organizationId } = event
  const type = toldAs(event)
  if (!isWebhookType(type) || !wants(listener).includes(type)) return false
  if (merchantId !== null) return billing.has(type) && merchantId === listener.organizationId
  if (ofOrganizations.has(type)) return listener.coversInstallation || organizationId === listener.organizationId
  return ofAccounts.has(type) && listener.coversInstallation
}

type Reader = Pick<Seller, 'by' | 'holds' | 'readsAudit'>

/** Of the people of an organization hears who may read its audit log, or a token that may change the organization itself. */
const mayHearOfPeople = ({ by, holds, readsAudit }: Reader): boolean =>
  readsAudit || (by === 'token' && holds('organizations:write'))

/**
 * Whether somebody may read what an endpoint was told: nothing that they could not read otherwise. Accounts are told to
 * endpoints of the installation alone, which have their own guard.
 */
export const mayHear = (reader: Reader, type: string): boolean =>
  ofAccounts.has(type) || (ofOrganizations.has(type) ? mayHearOfPeople(reader) : readsObjectOf(reader, type))

/**
 * Whether somebody may let an endpoint be told of events of a type. A token with `webhooks:write` decides about everything that
 * is sold, as the clients of such APIs expect; a member only about what they could read otherwise.
 */
export const mayLetHear = (reader: Reader, type: string): boolean =>
  (reader.by === 'token' && billing.has(type)) || mayHear(reader, type)
