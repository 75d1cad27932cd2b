import {
  accountEventTypes,
  billingEventTypes,
  isUnknownToSdk,
  peopleEventTypes,
  type WebhookEventType,
  webhookRow,
} from '../../packages/contract/src/events/events.ts'
import { madeBy, table } from './json-schema.ts'

const listed = (types: readonly WebhookEventType[]): string =>
  table(
    ['Type', 'When'],
    types.map((type) => [`\`${type}\`${isUnknownToSdk(type) ? ' \\*' : ''}`, webhookRow(type)?.docs ?? '']),
  )

/** docs/webhook-events.md: every type that an endpoint can ask for. */
export const webhookEventsPage = (): string => `${madeBy('packages/contract/src/events')}

# Webhook events

The types that a webhook endpoint can subscribe to. [Webhooks](webhooks.md) describes how they are delivered.

\`validateEvent\` of the Polar SDK throws at types with an asterisk, because it does not know them (1.0 knows
\`checkout.expired\`, 0.32 does not). Subscribe to them only if you verify in another way, or catch what it throws.

## Billing

\`data\` is the object at the moment of the event, in the spelling of the [billing API](billing-api.md).

${listed(billingEventTypes)}

## Organizations and members

\`data\` holds \`user_id\`, \`organization_id\`, \`actor_id\` (the user who caused the event), \`details\`, and the public fields of
the \`user\` and the \`organization\`. An endpoint receives the events of its own organization.

${listed(peopleEventTypes)}

## Accounts and sessions

\`data\` has the same shape. Only endpoints of the whole installation (\`covers_installation\`), which administrators create,
receive these events.

${listed(accountEventTypes)}
`
