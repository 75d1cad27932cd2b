/**
 * Entry `events`: the table of every event, and the lists and types that derive from it. A row is the only place that
 * describes a type: the server, the documentation and the dashboard all read it. Its names in the audit logs and its
 * sentence in timelines are texts of their pages, in every language. Nothing here may import zod.
 */
import { accountEvents } from './account.events.ts'
import { billingEvents } from './billing.events.ts'
import { organizationEvents } from './organization.events.ts'
import type { AuditRow, BillingEventRow, OrganizationEventRow } from './row.ts'

export {
  type BillingObject,
  billingObjects,
  type EventKind,
  type EventObjectName,
  eventObjects,
} from './objects.ts'
export type { AuditRow, BillingEventRow, EventTone, OrganizationEventRow } from './row.ts'
export type { ChatWords } from './words.ts'
export { accountEvents, billingEvents, organizationEvents }

type Sent<Rows> = { [Type in keyof Rows]: Rows[Type] extends { readonly docs: string } ? Type : never }[keyof Rows]
type Recorded<Rows> = {
  [Type in keyof Rows]: Rows[Type] extends { readonly recordedAs: infer Name } ? Name : Type
}[keyof Rows]

/** Types that `emitBilling` writes. */
export type BillingEventType = keyof typeof billingEvents
/** Types that `emit` writes about an organization. Its audit log shows these. */
export type OrganizationEventType = Recorded<typeof organizationEvents>
/** Types that `emit` writes. The audit log of the installation shows these. */
export type EventType = keyof typeof accountEvents | OrganizationEventType
/** Types that a webhook endpoint can subscribe to. */
export type WebhookEventType = BillingEventType | Sent<typeof organizationEvents> | Sent<typeof accountEvents>

const keysOf = <Rows extends object>(rows: Rows) => Object.keys(rows) as (keyof Rows)[] // a table has no other keys
const sentOf = <Rows extends Readonly<Record<string, object>>>(rows: Rows) =>
  keysOf(rows).filter((type): type is Sent<Rows> & keyof Rows => 'docs' in (rows[type] ?? {}))

/** Sales. An endpoint receives those of its own organization. */
export const billingEventTypes: readonly BillingEventType[] = /* @__PURE__ */ keysOf(billingEvents)
/** The people of an organization. An endpoint receives those of its own organization. */
export const peopleEventTypes = /* @__PURE__ */ sentOf(organizationEvents)
/** Accounts and sessions. Only endpoints of the whole installation receive them. */
export const accountEventTypes = /* @__PURE__ */ sentOf(accountEvents)
export const webhookEventTypes: readonly WebhookEventType[] = /* @__PURE__ */ [
  billingEventTypes,
  peopleEventTypes,
  accountEventTypes,
].flat()

/** The row of a webhook type; undefined for a type that this version does not know. */
export const webhookRow = (type: string): BillingEventRow | AuditRow | undefined =>
  rowIn(billingEvents, type) ?? rowIn(organizationEvents, type) ?? rowIn(accountEvents, type)

/** The row of a billing event; undefined for any other type. */
export const billingRow = (type: string): BillingEventRow | undefined => rowIn(billingEvents, type)

function rowIn<Row>(rows: Readonly<Record<string, Row>>, type: string): Row | undefined {
  return Object.hasOwn(rows, type) ? rows[type] : undefined
}

/** Whether `validateEvent` of a Polar SDK throws at a type. 1.0 knows `checkout.expired`, 0.32 does not. */
export const isUnknownToSdk = (type: WebhookEventType): boolean => {
  const row = billingRow(type)
  return !row || row.sdk !== undefined
}

/** The type in the event table for a webhook type. */
export const recordedAs = (type: string): string =>
  rowIn<OrganizationEventRow>(organizationEvents, type)?.recordedAs ?? type

/** The webhook type of an event that `emit` writes. */
export const sentAs = (type: string): string =>
  keysOf(organizationEvents).find((sent) => recordedAs(sent) === type) ?? type

/** Rows of the events that `emit` writes, by the type in the event table. */
export const auditRows: Readonly<Record<string, AuditRow>> = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries<AuditRow>({ ...accountEvents, ...organizationEvents }).map(([type, row]) => [
    recordedAs(type),
    row,
  ]),
)

/** Rows of the events in a timeline, by the type in the event table. */
export const timelineRows: Readonly<Record<string, BillingEventRow | AuditRow>> = { ...billingEvents, ...auditRows }

/** Types in the audit log of an organization. */
export const organizationEventTypes = /* @__PURE__ */ keysOf(organizationEvents).map(
  recordedAs,
) as readonly OrganizationEventType[] // as `Recorded` does for types
