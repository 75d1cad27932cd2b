import type { BillingObjectName, PeopleObjectName } from './objects.ts'
import type { ChatWords } from './words.ts'

export type EventTone = 'danger' | 'warn'

type Row = {
  /** The tone of its line in the timelines of the dashboard; the sentence is a text of theirs, in every language. */
  readonly lineTone?: EventTone
}

type Sent = {
  /** When it happens, for docs/webhook-events.md. */
  readonly docs: string
  /** The sentence of a message in Slack or Discord. */
  readonly chat: (words: ChatWords) => string
  readonly notSent?: never
}

type Untold = {
  /** Why no webhook endpoint can subscribe to it. */
  readonly notSent: string
  readonly docs?: never
  readonly chat?: never
}

/** An event of accounts, sessions, the server, or an organization's people and settings. No Polar SDK knows its type. */
export type AuditRow = Row & {
  readonly object: PeopleObjectName
  /** Its tone in the audit log of the installation. */
  readonly logTone?: EventTone
} & (Sent | Untold)

/** An event of sales. */
export type BillingEventRow = Row &
  Sent & {
    readonly object: BillingObjectName
    /**
     * The first version of the Polar SDK whose `validateEvent` knows the type; each version throws at types that it does not
     * know. 0.32 if absent.
     */
    readonly sdk?: '1.0' | 'none'
    /** Nothing emits it yet. */
    readonly isToCome?: true
    /** It follows nearly every other event, so that a timeline shows it only if the reader asks for its type. */
    readonly isEcho?: true
  }

/** An event of an organization's people and settings. */
export type OrganizationEventRow = AuditRow & {
  /** The type in the event table, where it differs from the webhook type. */
  readonly recordedAs?: string
}
