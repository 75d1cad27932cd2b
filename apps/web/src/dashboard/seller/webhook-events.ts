import {
  accountEventTypes,
  billingEventTypes,
  organizationEventTypes,
  typesUnknownToSdk,
  type WebhookEventType,
} from '@tollgate/contract/billing'
import { webhookWords } from './webhooks.texts.ts'

type Subject = keyof typeof webhookWords.events.subjects

export type EventGroup = { readonly title: string; readonly types: readonly WebhookEventType[] }

/** Nothing causes them yet; they are offered only where they were chosen by a program. */
const isYetToCome = (type: WebhookEventType) => /^benefit/.test(type)

/** At these the SDK throws, so that a receiver that verifies with it would answer with a failure. */
export const isUnknownToSdk = (type: WebhookEventType): boolean => typesUnknownToSdk.includes(type)

/** All of billing that every receiver understands. */
export const billingTypes: readonly WebhookEventType[] = billingEventTypes.filter(
  (type) => !isYetToCome(type) && !isUnknownToSdk(type),
)

type Scope = {
  /** What is chosen already: nothing of it is left out. */
  readonly chosen: readonly WebhookEventType[]
  /** Whether accounts and sessions of the whole installation are among them. */
  readonly coversInstallation: boolean
  /** Whether the viewer may read what the people of the organization do: nobody else lets an endpoint hear of it. */
  readonly readsAudit: boolean
}

/** What an endpoint can be told. */
export const offeredTypes = ({ chosen, coversInstallation, readsAudit }: Scope): readonly WebhookEventType[] => [
  ...new Set<WebhookEventType>([
    ...billingEventTypes.filter((type) => !isYetToCome(type) || chosen.includes(type)),
    ...organizationEventTypes.filter((type) => readsAudit || chosen.includes(type)),
    ...(coversInstallation ? accountEventTypes : []),
  ]),
]

const subjectOf = (type: WebhookEventType) => type.split('.')[0] as Subject // every type begins with one

/** By what they are about, in the order of the contract; a search leaves what has its words in its name. */
export function groupsOf(types: readonly WebhookEventType[], search: string): readonly EventGroup[] {
  const sought = search.trim().toLowerCase()
  const found = types.filter((type) => type.includes(sought) || titleOf(type).toLowerCase().includes(sought))
  return [...Map.groupBy(found, titleOf)].map(([title, members]) => ({ title, types: members }))
}

const titleOf = (type: WebhookEventType): string => webhookWords.events.subjects[subjectOf(type)]

/** With one more, or one less, in the order in which they are offered. */
export function withType(
  chosen: readonly WebhookEventType[],
  type: WebhookEventType,
  isOn: boolean,
): readonly WebhookEventType[] {
  return isOn ? [...new Set([...chosen, type])] : chosen.filter((each) => each !== type)
}

/** What may stay chosen: accounts are of the whole installation. */
export const withoutAccounts = (chosen: readonly WebhookEventType[]): readonly WebhookEventType[] => {
  const accounts: readonly WebhookEventType[] = accountEventTypes
  return chosen.filter((type) => !accounts.includes(type))
}
