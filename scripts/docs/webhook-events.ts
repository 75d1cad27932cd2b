import {
  accountEventTypes,
  billingEventTypes,
  organizationEventTypes,
  typesUnknownToSdk,
  type WebhookEventType,
} from '../../packages/contract/src/billing/event-types.ts'
import { madeBy, table } from './json-schema.ts'

/** When an event happens, and what its `data` is where that is not plain from its name. */
const meanings: Readonly<Record<WebhookEventType, string>> = {
  'checkout.created': 'A checkout was made, by your server, a link or a pricing page.',
  'checkout.updated': 'Something about a checkout has changed; each step until it is paid.',
  'checkout.expired': 'A checkout was not paid in time.',
  'customer.created': 'Somebody became a customer.',
  'customer.updated': 'A customer has changed.',
  'customer.deleted': 'A customer was removed.',
  'customer.state_changed': 'What a customer has now: subscriptions and, later, benefits. The whole state.',
  'order.created': 'An order was made, paid or not.',
  'order.updated': 'An order has changed.',
  'order.paid': 'An order was paid: the one to act on.',
  'order.refunded': 'Money of an order was given back; `refunded_amount` says how much.',
  'subscription.created': 'A subscription was made.',
  'subscription.active': 'A subscription has become active.',
  'subscription.updated': 'Something about a subscription has changed, also beside the other events.',
  'subscription.canceled': 'A subscription was canceled, now or to the end of its period.',
  'subscription.uncanceled': 'It was canceled to the end of its period, and goes on after all.',
  'subscription.revoked': 'A subscription has ended: what it gave is to be taken.',
  'refund.created': 'A refund was asked for.',
  'refund.updated': 'A refund has succeeded or failed.',
  'dispute.created': 'A buyer disputes a payment.',
  'dispute.updated': 'A dispute goes on, or was won or lost.',
  'product.created': 'A product was made.',
  'product.updated': 'A product has changed, or was archived.',
  'benefit.created': 'Not sent yet: benefits follow.',
  'benefit.updated': 'Not sent yet: benefits follow.',
  'benefit_grant.created': 'Not sent yet: benefits follow.',
  'benefit_grant.updated': 'Not sent yet: benefits follow.',
  'benefit_grant.revoked': 'Not sent yet: benefits follow.',
  'benefit_grant.cycled': 'Not sent yet: benefits follow.',
  'organization.updated': 'What the organization sells as has changed.',
  'organization.created': 'An organization was made.',
  'organization.changed': 'An organization has changed, such as its name; `details` says what.',
  'organization.deleted': 'An organization was deleted.',
  'organization.transferred': 'An organization was handed to another owner.',
  'member.added': 'Somebody has become a member.',
  'member.removed': 'A member has left or was removed.',
  'member.role_changed': 'A member has other roles.',
  'invitation.created': 'Somebody was invited.',
  'invitation.renewed': 'An invitation was sent again.',
  'invitation.accepted': 'An invitation was accepted.',
  'invitation.rejected': 'An invitation was turned down.',
  'invitation.canceled': 'An invitation was taken back.',
  'team.created': 'A team was made.',
  'team.updated': 'A team has changed.',
  'team.removed': 'A team was removed.',
  'team_member.added': 'A member came into a team.',
  'team_member.removed': 'A member left a team.',
  'user.created': 'Somebody has an account.',
  'user.updated': 'Somebody has changed their profile.',
  'user.deleted': 'An account was deleted.',
  'user.email_verified': 'An address was proven.',
  'user.email_changed': 'An account has another address.',
  'user.password_changed': 'Somebody has changed their password.',
  'user.password_reset': 'Somebody has a new password by a mail.',
  'user.password_set': 'An administrator has given an account a password.',
  'user.role_changed': 'An account has another role in the installation.',
  'user.banned': 'An account was banned.',
  'user.unbanned': 'A ban has ended.',
  'session.created': 'Somebody has signed in.',
  'session.revoked': 'A session was ended.',
  'account.linked': 'An account of another provider was linked.',
  'account.unlinked': 'An account of another provider was unlinked.',
  'impersonation.started': 'An administrator began to act as somebody.',
  'impersonation.stopped': 'An administrator no longer acts as somebody.',
}

const listed = (types: readonly WebhookEventType[]): string =>
  table(
    ['Type', 'When'],
    types.map((type) => [`\`${type}\`${typesUnknownToSdk.includes(type) ? ' \\*' : ''}`, meanings[type]]),
  )

/** docs/webhook-events.md: every type that an endpoint can ask for. */
export const webhookEventsPage = (): string => `${madeBy('packages/contract/src/billing/event-types.ts')}

# Webhook events

What an endpoint can be told of. How it is told: [webhooks](webhooks.md).

At types with an asterisk \`validateEvent\` of the Polar SDK throws, because it does not know them (1.0 knows
\`checkout.expired\`, 0.32 does not). Ask for them only where you verify in another way, or pass over what it throws.

## What is sold

\`data\` is the object as it was at that moment, in the spelling of the [billing API](billing-api.md).

${listed(billingEventTypes)}

## Organizations and their people

\`data\` holds \`user_id\`, \`organization_id\`, \`actor_id\` (who did it), \`details\`, and the public fields of the \`user\` and
the \`organization\`. An endpoint hears of its own organization.

${listed(organizationEventTypes)}

## Accounts and sessions

The same shape. Only for endpoints of the whole installation (\`covers_installation\`), which administrators make.

${listed(accountEventTypes)}
`
