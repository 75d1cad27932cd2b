/**
 * Every kind of event that can be sent to a webhook endpoint, once. Which are on their way to whom, `webhook.schemas` and
 * the server's `billing/webhooks` decide; the matching SDK throws at types that it does not know, so that none is sent
 * unless it was asked for (contract, traps 12).
 */

/** What happens in billing (specification, section 3), and what 1.0.x of the SDK knows besides. */
export const billingEventTypes = [
  'checkout.created',
  'checkout.updated',
  'checkout.expired',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.state_changed',
  'order.created',
  'order.updated',
  'order.paid',
  'order.refunded',
  'subscription.created',
  'subscription.active',
  'subscription.updated',
  'subscription.canceled',
  'subscription.uncanceled',
  'subscription.revoked',
  'refund.created',
  'refund.updated',
  'dispute.created',
  'dispute.updated',
  'product.created',
  'product.updated',
  'benefit.created',
  'benefit.updated',
  'benefit_grant.created',
  'benefit_grant.updated',
  'benefit_grant.revoked',
  'benefit_grant.cycled',
  'organization.updated',
] as const
export type BillingEventType = (typeof billingEventTypes)[number]

/** What happens in an organization that tells others of it: its own members and invitations. */
export const organizationEventTypes = [
  'organization.created',
  /** `organization.updated` is what it sells as; this one is its name and address among the others. */
  'organization.changed',
  'organization.deleted',
  'organization.transferred',
  'member.added',
  'member.removed',
  'member.role_changed',
  'invitation.created',
  'invitation.renewed',
  'invitation.accepted',
  'invitation.rejected',
  'invitation.canceled',
  'team.created',
  'team.updated',
  'team.removed',
  'team_member.added',
  'team_member.removed',
] as const

/** What happens to everybody's accounts and sessions: for endpoints of the whole installation. */
export const accountEventTypes = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.email_verified',
  'user.email_changed',
  'user.password_changed',
  'user.password_reset',
  'user.password_set',
  'user.role_changed',
  'user.banned',
  'user.unbanned',
  'session.created',
  'session.revoked',
  'account.linked',
  'account.unlinked',
  'impersonation.started',
  'impersonation.stopped',
] as const

export const webhookEventTypes = [...billingEventTypes, ...organizationEventTypes, ...accountEventTypes] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/**
 * Types at which `validateEvent` of the matching SDK throws: 1.0 at all of these but `checkout.expired`, which 0.32 does not
 * know either.
 */
export const typesUnknownToSdk: readonly WebhookEventType[] = [
  'checkout.expired',
  'dispute.created',
  'dispute.updated',
  ...organizationEventTypes,
  ...accountEventTypes,
]

export const webhookFormats = ['raw', 'discord', 'slack'] as const
export type WebhookFormat = (typeof webhookFormats)[number]
