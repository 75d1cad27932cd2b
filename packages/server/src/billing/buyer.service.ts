import { isDeepStrictEqual } from 'node:util'
import type { Address } from '@tollgate/contract/billing-types'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { toJson } from '../db/tables.ts'
import { normalizeEmail } from '../identity/profile-rules.ts'
import { findUser } from '../identity/users.service.ts'
import { newUuid } from '../ids.ts'
import {
  type CustomerRow,
  findShownCustomer,
  insertCustomer,
  lockCustomer,
  lockLinkedCustomer,
  updateCustomerRow,
} from './customer.repository.ts'
import { toCustomer } from './customer-view.ts'
import { type BillingEventType, emitBilling } from './events.ts'

type Metadata = Readonly<Record<string, string | number | boolean>>

/** Who confirms a checkout, as far as it is known. */
export type Buyer = {
  readonly organizationId: string
  readonly customerId: string | null
  readonly externalId: string | null
  readonly email: string
  readonly name: string | null
  readonly billingName: string | null
  readonly billingAddress: Address | null
  /** Checked by then: the number and its kind. */
  readonly taxId: readonly [number: string, format: string] | null
  readonly metadata: Metadata
  readonly userId: string | null
  readonly buyerOrganizationId: string | null
}

/** Most keys of metadata (contract, section 1). */
const metadataLimit = 50

/**
 * The customer of a confirmed checkout (CHK-15), locked until the transaction ends: matched by id, else by the seller's own
 * id, else by who they are on this server, else by address, else made. What the buyer said is copied, metadata merged, and
 * who they are on this server linked. Emits customer.created, or customer.updated where something changes.
 */
export async function admitBuyer(ctx: Context, tx: Tx, buyer: Buyer): Promise<CustomerRow> {
  const emailKey = normalizeEmail(buyer.email)
  if (emailKey === null) throw new Error('a checkout was confirmed with an address that is none')
  // Twice: of two buyers with one address the second one waits for the first, and then finds the customer.
  for (let round = 1; round <= 2; round += 1) {
    const known = await findBuyer(tx, buyer, emailKey)
    if (known) return copyBuyer(ctx, tx, known, buyer, emailKey)
    const made = await insertBuyer(ctx, tx, buyer, emailKey)
    if (made) {
      await tellBuyer(ctx, tx, 'customer.created', made)
      return made
    }
  }
  throw new Error('a customer was removed while a checkout of theirs was confirmed')
}

async function findBuyer(tx: Tx, buyer: Buyer, emailKey: string): Promise<CustomerRow | undefined> {
  const { organizationId, customerId, externalId } = buyer
  const link = linkOf(buyer)
  return (
    (customerId && (await lockCustomer(tx, organizationId, { id: customerId }))) ||
    (externalId && (await lockCustomer(tx, organizationId, { externalId }))) ||
    (link && (await lockLinkedCustomer(tx, organizationId, link, emailKey))) ||
    (await lockCustomer(tx, organizationId, { emailKey }))
  )
}

const linkOf = ({
  userId,
  buyerOrganizationId,
}: Buyer): { readonly userId: string } | { readonly buyerOrganizationId: string } | undefined =>
  buyerOrganizationId !== null ? { buyerOrganizationId } : userId !== null ? { userId } : undefined

async function insertBuyer(ctx: Context, tx: Tx, buyer: Buyer, emailKey: string): Promise<CustomerRow | undefined> {
  const { taxId, billingAddress, metadata } = buyer
  return insertCustomer(tx, {
    id: newUuid(),
    organizationId: buyer.organizationId,
    email: buyer.email.trim(),
    emailKey,
    emailVerified: await hasProven(tx, buyer.userId, emailKey),
    name: buyer.name,
    externalId: buyer.externalId,
    billingName: buyer.billingName,
    billingAddress: billingAddress && toJson(billingAddress),
    taxId: taxId && toJson(taxId),
    userId: buyer.buyerOrganizationId === null ? buyer.userId : null,
    buyerOrganizationId: buyer.buyerOrganizationId,
    metadata: toJson(metadata),
    createdAt: ctx.clock.now(),
  })
}

async function copyBuyer(
  ctx: Context,
  tx: Tx,
  known: CustomerRow,
  buyer: Buyer,
  emailKey: string,
): Promise<CustomerRow> {
  const metadata = merged(known.metadata as Metadata, buyer.metadata) // written from the schema of metadata
  const said = {
    name: buyer.name ?? known.name,
    billingName: buyer.billingName ?? known.billingName,
    billingAddress: buyer.billingAddress ?? known.billingAddress,
    taxId: buyer.taxId ?? known.taxId,
    metadata,
    ...(await newLink(tx, known, buyer, emailKey)),
  }
  if (isDeepStrictEqual({ ...known, ...said }, known)) return known
  const changed = await updateCustomerRow(tx, known.organizationId, known.id, {
    ...said,
    billingAddress: said.billingAddress === null ? null : toJson(said.billingAddress),
    taxId: said.taxId === null ? null : toJson(said.taxId),
    metadata: toJson(metadata),
    modifiedAt: ctx.clock.now(),
  })
  if (!changed) throw new Error('a locked customer has gone')
  await tellBuyer(ctx, tx, 'customer.updated', changed)
  return changed
}

/** What was there stays where there would be more keys than are allowed. */
const merged = (known: Metadata, said: Metadata): Metadata =>
  Object.fromEntries(Object.entries({ ...known, ...said }).slice(0, metadataLimit))

/**
 * Who a customer is on this server, where nobody has said so yet. Whoever was found by nothing but an address that somebody
 * typed is linked only to an account that has proven it: else typing an address would show what its owner has bought.
 */
async function newLink(
  tx: Tx,
  known: CustomerRow,
  buyer: Buyer,
  emailKey: string,
): Promise<Partial<Pick<CustomerRow, 'userId' | 'buyerOrganizationId'>>> {
  const link = linkOf(buyer)
  if (!link || known.userId !== null || known.buyerOrganizationId !== null) return {}
  const isNamed = buyer.customerId === known.id || (buyer.externalId !== null && buyer.externalId === known.externalId)
  if (isNamed) return link
  return 'userId' in link && known.emailKey === emailKey && (await hasProven(tx, link.userId, emailKey)) ? link : {}
}

/** Whether an account has proven that an address is its own. */
async function hasProven(tx: Tx, userId: string | null, emailKey: string): Promise<boolean> {
  const user = userId === null ? undefined : await findUser(tx, userId)
  return user?.emailVerified === true && user.email === emailKey
}

/** A buyer is nobody whom events could name as their actor. */
async function tellBuyer(ctx: Context, tx: Tx, type: BillingEventType, { id, organizationId }: CustomerRow) {
  const shown = await findShownCustomer(tx, organizationId, id)
  if (shown) await emitBilling(tx, ctx.clock.now(), { organizationId, actorId: null }, type, toCustomer(ctx, shown))
}
