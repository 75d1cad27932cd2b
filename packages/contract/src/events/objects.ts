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
  /** The group of its events in the form that chooses webhook events. */
  readonly title: string
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
  checkout: { title: 'Checkouts', kind: 'checkouts', scope: 'checkouts:read', shape: 'getCheckout' },
  customer: { title: 'Customers', kind: 'customers', scope: 'customers:read', shape: 'getCustomer' },
  customer_state: { title: 'Customers', kind: 'customers', scope: 'customers:read', shape: 'getCustomerState' },
  order: { title: 'Orders', kind: 'orders', scope: 'orders:read', shape: 'getOrder' },
  subscription: {
    title: 'Subscriptions',
    kind: 'subscriptions',
    scope: 'subscriptions:read',
    shape: 'getSubscription',
  },
  refund: { title: 'Refunds', kind: 'refunds', scope: 'refunds:read', shape: 'createRefund' },
  dispute: { title: 'Disputes', kind: 'refunds', scope: 'refunds:read', shape: 'getDispute' },
  product: { title: 'Products', kind: 'catalog', scope: 'products:read', shape: 'getProduct' },
  benefit: { title: 'Benefits', kind: 'catalog', scope: 'benefits:read' },
  benefit_grant: { title: 'Benefits of customers', kind: 'catalog', scope: 'benefits:read' },
  merchant: { title: 'Organization', kind: 'organization', scope: 'organizations:read', shape: 'getMerchant' },
} as const satisfies Readonly<Record<string, BillingObject>>

/** The objects of other events. Their payload names the people and the organization, with the details of the event. */
export const peopleObjects = {
  organization: { title: 'Organization', kind: 'organization' },
  access_token: { title: 'Access tokens', kind: 'organization' },
  webhook_endpoint: { title: 'Webhooks', kind: 'organization' },
  member: { title: 'Members', kind: 'organization' },
  role: { title: 'Roles', kind: 'organization' },
  invitation: { title: 'Invitations', kind: 'organization' },
  invitation_link: { title: 'Invitation links', kind: 'organization' },
  join_request: { title: 'Requests to join', kind: 'organization' },
  team: { title: 'Teams', kind: 'organization' },
  team_member: { title: 'Members of teams', kind: 'organization' },
  domain: { title: 'Domains', kind: 'organization' },
  user: { title: 'Accounts', kind: 'accounts' },
  session: { title: 'Sessions', kind: 'accounts' },
  sign_in: { title: 'Sign-ins', kind: 'accounts' },
  account: { title: 'Linked accounts', kind: 'accounts' },
  impersonation: { title: 'Administrators who act as others', kind: 'accounts' },
  brand: { title: 'Brand', kind: 'accounts' },
  attention: { title: 'Money to check', kind: 'accounts' },
  job: { title: 'Jobs', kind: 'accounts' },
} as const satisfies Readonly<Record<string, EventObject>>

export type BillingObjectName = keyof typeof billingObjects
export type PeopleObjectName = keyof typeof peopleObjects

export type EventObjectName = BillingObjectName | PeopleObjectName

export const eventObjects: Readonly<Record<EventObjectName, EventObject>> = {
  ...billingObjects,
  ...peopleObjects,
}
