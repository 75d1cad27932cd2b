import {
  accountEventTypes,
  billingEventTypes,
  billingRow,
  isUnknownToSdk,
  peopleEventTypes,
  type WebhookEventType,
  webhookRow,
} from '@tollgate/contract/events'
import { webhookWords } from './webhooks.texts.ts'

export type EventGroup = { readonly title: string; readonly types: readonly WebhookEventType[] }

/** Offered only if a program has chosen them already. */
const isToCome = (type: WebhookEventType) => billingRow(type)?.isToCome === true

/** All of billing that every receiver understands. */
export const billingTypes: readonly WebhookEventType[] = billingEventTypes.filter(
  (type) => !isToCome(type) && !isUnknownToSdk(type),
)

type Scope = {
  /** What is chosen already: nothing of it is left out. */
  readonly chosen: readonly WebhookEventType[]
  /** Whether accounts and sessions of the whole installation are among them. */
  readonly coversInstallation: boolean
  /** Whether the viewer may read members' actions: only such members may subscribe an endpoint to them. */
  readonly readsAudit: boolean
}

/** What an endpoint can be told. */
export const offeredTypes = ({ chosen, coversInstallation, readsAudit }: Scope): readonly WebhookEventType[] => [
  ...new Set<WebhookEventType>([
    ...billingEventTypes.filter((type) => !isToCome(type) || chosen.includes(type)),
    ...peopleEventTypes.filter((type) => readsAudit || chosen.includes(type)),
    ...(coversInstallation ? accountEventTypes : []),
  ]),
]

/** By what they are about, in the order of the contract; a search leaves what has its words in its name. */
export function groupsOf(types: readonly WebhookEventType[], search: string): readonly EventGroup[] {
  const sought = search.trim().toLowerCase()
  const found = types.filter((type) => type.includes(sought) || titleOf(type).toLowerCase().includes(sought))
  return [...Map.groupBy(found, titleOf)].map(([title, members]) => ({ title, types: members }))
}

const titleOf = (type: WebhookEventType): string => {
  const row = webhookRow(type)
  return row ? webhookWords.events.objects[row.object] : type
}

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
