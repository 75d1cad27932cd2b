import { mailboxOf } from '../../../foundation/config/mailbox.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import type { trialKeyKinds } from '../../../foundation/db/tables/trial.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { sha256 } from '../../../foundation/token.ts'
import { hasTrialKey, insertTrialKeys } from './trial-guard.repository.ts'

/*
 * One trial for each buyer of a seller: for the customer, the mailbox without its `+tag`, the account, the organization
 * that it buys for, and the card. Each is a hashed key, and the unique index admits it once.
 */

type Key = { readonly kind: (typeof trialKeyKinds)[number]; readonly keyHash: string }

const keyOf = (kind: Key['kind'], value: string | null | undefined): Key[] =>
  value == null || value === '' ? [] : [{ kind, keyHash: sha256(`trial ${kind} ${value}`) }]

/** The key of a card, as a saved one keeps it; null for a card that nothing identifies. */
export const cardKeyOf = (fingerprint: string | null | undefined): string | null =>
  keyOf('card', fingerprint)[0]?.keyHash ?? null

const mailbox = (email: string | null | undefined): Key[] => keyOf('mailbox', email && mailboxOf(email))

/** The buyer of a trial, by all that identifies them. */
export type TrialBuyer = {
  readonly organizationId: Id<'organization'>
  readonly customerId: Id<'customer'> | null
  /** Addresses that are theirs. */
  readonly emails: readonly (string | null | undefined)[]
  readonly userId: Id<'user'> | null | undefined
  readonly buyerOrganizationId: Id<'organization'> | null
  /** What identifies their card. */
  readonly card: string | null | undefined
  /** The key of their saved card, where one pays. */
  readonly savedCardKey?: string | null | undefined
}

/** Sorted, so that two transactions with the same keys wait for each other in one order. */
const keysOf = ({ customerId, emails, userId, buyerOrganizationId, card, savedCardKey }: TrialBuyer): Key[] =>
  distinct([
    ...keyOf('customer', customerId),
    ...emails.flatMap(mailbox),
    ...keyOf('account', userId),
    ...keyOf('organization', buyerOrganizationId),
    ...keyOf('card', card),
    ...(savedCardKey ? [{ kind: 'card' as const, keyHash: savedCardKey }] : []),
  ])

/**
 * Takes the buyer's trial in the transaction that begins it. Of two at once, the second waits for the first and then
 * finds its keys. Throws TRIAL_ALREADY_REDEEMED where one of them has had a trial.
 */
export async function takeTrial(
  tx: Tx,
  now: Date,
  buyer: TrialBuyer,
  checkoutId: Id<'checkout'> | null,
): Promise<void> {
  const { organizationId } = buyer
  const rows = keysOf(buyer).map((key) => ({ ...key, id: newUuid(), organizationId, checkoutId, createdAt: now }))
  if ((await insertTrialKeys(tx, rows)) < rows.length) throw new TollgateError('TRIAL_ALREADY_REDEEMED')
}

const distinct = (keys: readonly Key[]): Key[] =>
  [...new Map(keys.map((key) => [key.keyHash, key])).values()].toSorted((one, other) =>
    one.keyHash < other.keyHash ? -1 : 1,
  )

/** Whether one of what identifies a buyer has had a trial with the seller. */
export async function hasHadTrial(db: Db, buyer: TrialBuyer): Promise<boolean> {
  const keyHashes = keysOf(buyer).map(({ keyHash }) => keyHash)
  return keyHashes.length > 0 && hasTrialKey(db, buyer.organizationId, keyHashes)
}
