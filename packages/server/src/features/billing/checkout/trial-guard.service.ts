import { mailboxOf } from '../../../foundation/config/mailbox.ts'
import type { Db, Id, Tx } from '../../../foundation/db/database.ts'
import type { trialKeyKinds } from '../../../foundation/db/tables/trial.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { sha256 } from '../../../foundation/token.ts'
import type { Admitted } from '../customer/buyer.service.ts'
import type { CheckoutRow } from './checkout.repository.ts'
import type { ActingBuyer } from './checkout-buyer.ts'
import { hasTrialKey, insertTrialKeys } from './trial-guard.repository.ts'

/*
 * One trial for each buyer of a seller: for the customer, the mailbox without its `+tag`, the account, the organization
 * that it buys for, and the card. Each is a hashed key, and the unique index admits it once.
 */

type Key = { readonly kind: (typeof trialKeyKinds)[number]; readonly keyHash: string }

const keyOf = (kind: Key['kind'], value: string | null | undefined): Key[] =>
  value == null || value === '' ? [] : [{ kind, keyHash: sha256(`trial ${kind} ${value}`) }]

const mailbox = (email: string | null | undefined): Key[] => keyOf('mailbox', email && mailboxOf(email))

/**
 * Takes the buyer's trial in the transaction of their confirmation. Of two at once, the second waits for the first and
 * then finds its keys. Throws TRIAL_ALREADY_REDEEMED where one of them has had a trial.
 */
export async function takeTrial(
  tx: Tx,
  now: Date,
  checkout: Pick<CheckoutRow, 'id' | 'organizationId' | 'customerEmail' | 'userId' | 'buyerOrganizationId'>,
  buyer: { readonly admitted: Admitted; readonly acting: ActingBuyer; readonly card: string | undefined },
): Promise<void> {
  const { organizationId } = checkout
  const { customer } = buyer.admitted
  const keys = distinct([
    ...keyOf('customer', customer.id),
    ...mailbox(customer.email),
    ...mailbox(checkout.customerEmail),
    ...mailbox(buyer.acting.account?.provenEmail),
    ...keyOf('account', buyer.acting.account?.userId ?? checkout.userId ?? customer.userId),
    ...keyOf('organization', checkout.buyerOrganizationId ?? customer.buyerOrganizationId),
    ...keyOf('card', buyer.card),
  ])
  const rows = keys.map((key) => ({
    ...key,
    id: newUuid(),
    organizationId,
    checkoutId: checkout.id,
    createdAt: now,
  }))
  if ((await insertTrialKeys(tx, rows)) < rows.length) throw new TollgateError('TRIAL_ALREADY_REDEEMED')
}

/** Sorted, so that two transactions with the same keys wait for each other in one order. */
const distinct = (keys: readonly Key[]): Key[] =>
  [...new Map(keys.map((key) => [key.keyHash, key])).values()].toSorted((one, other) =>
    one.keyHash < other.keyHash ? -1 : 1,
  )

/**
 * Whether a buyer who is known has had their trial: the customer that the seller named, or the signed-in account. A
 * typed address tells nothing here, because anyone could ask for any address.
 */
export async function hasHadTrial(
  db: Db,
  checkout: Pick<CheckoutRow, 'organizationId' | 'customerId' | 'customerEmail' | 'userId' | 'buyerOrganizationId'>,
  account: ActingBuyer['account'],
): Promise<boolean> {
  const { organizationId, customerId, customerEmail } = checkout
  const keys = [
    ...keyOf('customer', customerId),
    ...(customerId === null ? [] : mailbox(customerEmail)),
    ...keyOf('account', account?.userId),
    ...mailbox(account?.provenEmail),
    ...keyOf('organization', checkout.buyerOrganizationId ?? organizationOf(account, organizationId)),
  ]
  return (
    keys.length > 0 &&
    hasTrialKey(
      db,
      organizationId,
      keys.map(({ keyHash }) => keyHash),
    )
  )
}

/** The organization that the account buys for; a seller does not buy from itself. */
const organizationOf = (account: ActingBuyer['account'], sellerId: Id<'organization'>): string | null =>
  account && account.organizationId !== sellerId ? account.organizationId : null
