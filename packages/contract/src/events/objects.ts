import type { BillingCallName } from '../billing/calls.ts'
import type { Scope } from '../billing/scopes.ts'

/** The kinds that a timeline can be narrowed to. */
export type EventKind =
  | 'orders'
  | 'refunds'
  | 'checkouts'
  | 'customers'
  | 'subscriptions'
  | 'catalog'
  | 'organization'
  | 'accounts'

export type EventObject = {
  readonly kind: EventKind
}

export type BillingObject = EventObject & {
  /** A token needs this scope to read the object, and therefore its events. */
  readonly scope: Scope
  /** The call whose answer is the payload; absent while no call answers with such an object. */
  readonly shape?: BillingCallName
}

/** The objects of a shop's events. Their payload is the object at the moment of the event. */
export const billingObjects = {
  checkout: { kind: 'checkouts', scope: 'checkouts:read', shape: 'getCheckout' },
  customer: { kind: 'customers', scope: 'customers:read', shape: 'getCustomer' },
  customer_state: { kind: 'customers', scope: 'customers:read', shape: 'getCustomerState' },
  order: { kind: 'orders', scope: 'orders:read', shape: 'getOrder' },
  subscription: {
    kind: 'subscriptions',
    scope: 'subscriptions:read',
    shape: 'getSubscription',
  },
  refund: { kind: 'refunds', scope: 'refunds:read', shape: 'createRefund' },
  dispute: { kind: 'refunds', scope: 'refunds:read', shape: 'getDispute' },
  product: { kind: 'catalog', scope: 'products:read', shape: 'getProduct' },
  benefit: { kind: 'catalog', scope: 'benefits:read' },
  benefit_grant: { kind: 'catalog', scope: 'benefits:read' },
  merchant: { kind: 'organization', scope: 'organizations:read', shape: 'getMerchant' },
} as const satisfies Readonly<Record<string, BillingObject>>

/** The objects of other events. Their payload names the people and the organization, with the details of the event. */
export const peopleObjects = {
  organization: { kind: 'organization' },
  access_token: { kind: 'organization' },
  webhook_endpoint: { kind: 'organization' },
  member: { kind: 'organization' },
  role: { kind: 'organization' },
  invitation: { kind: 'organization' },
  invitation_link: { kind: 'organization' },
  join_request: { kind: 'organization' },
  team: { kind: 'organization' },
  team_member: { kind: 'organization' },
  domain: { kind: 'organization' },
  user: { kind: 'accounts' },
  session: { kind: 'accounts' },
  sign_in: { kind: 'accounts' },
  account: { kind: 'accounts' },
  impersonation: { kind: 'accounts' },
  brand: { kind: 'accounts' },
  attention: { kind: 'accounts' },
  job: { kind: 'accounts' },
} as const satisfies Readonly<Record<string, EventObject>>

export type BillingObjectName = keyof typeof billingObjects
export type PeopleObjectName = keyof typeof peopleObjects

export type EventObjectName = BillingObjectName | PeopleObjectName

export const eventObjects: Readonly<Record<EventObjectName, EventObject>> = {
  ...billingObjects,
  ...peopleObjects,
}
