import { isDeepStrictEqual } from 'node:util'
import type { Address } from '@tollgate/contract/billing-types'
import type { BillingEventType } from '@tollgate/contract/events'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { normalizeEmail } from '../../identity/profile-rules.ts'
import { emitBilling } from '../events.ts'
import {
  type CustomerLink,
  type CustomerRow,
  findCustomer,
  findShownCustomer,
  insertCustomer,
  lockCustomer,
  lockTypedCustomer,
  lockUnlinkedCustomer,
  updateCustomerRow,
} from './customer.repository.ts'
import { endUnprovenSessions } from './customer-session.repository.ts'
import { toCustomer } from './customer-view.ts'

type Metadata = Readonly<Record<string, string | number | boolean>>

/** The buyer who confirms a checkout, as far as the checkout knows them. */
export type Buyer = {
  readonly organizationId: Id<'organization'>
  readonly customerId: Id<'customer'> | null
  readonly externalId: string | null
  /** The address as typed, unproven. */
  readonly email: string
  readonly name: string | null
  readonly billingName: string | null
  readonly billingAddress: Address | null
  /** The checked number and its kind. */
  readonly taxId: readonly [number: string, format: string] | null
  readonly metadata: Metadata
  /** The buying account, or the organization that it buys for; never both. */
  readonly userId: Id<'user'> | null
  readonly buyerOrganizationId: Id<'organization'> | null
  /** The account's own address, if proven. */
  readonly provenEmail: string | null
}

/** The customer of a purchase, locked until the transaction ends. */
export type Admitted = {
  readonly customer: CustomerRow
  /** Created by this purchase, so it holds only this buyer's data. */
  readonly isNew: boolean
  /** Whether the buyer is proven to be that customer: the seller named them, or they are signed in as them. */
  readonly isKnown: boolean
}

/** Maximum number of metadata keys (contract, section 1). */
const metadataLimit = 50

/**
 * Finds or creates the customer of a confirmed checkout (CHK-15): by id, else by the seller's own id, else by the
 * signed-in account or its organization, else by address. A signed-in buyer's address is the one that their account
 * has proven. For every other buyer it is the typed address.
 *
 * A known buyer updates their customer: the buyer's details are copied, and metadata is merged. A typed address proves
 * nothing, so a customer found by it alone stays unchanged, and only the order holds the buyer's details. Emits
 * customer.created, or customer.updated when something changes.
 */
export async function admitBuyer(ctx: Context, tx: Tx, buyer: Buyer): Promise<Admitted> {
  const emailKey = normalizeEmail(buyer.email)
  if (emailKey === null) throw new Error('a confirmed checkout has an invalid email address')
  // Two rounds: the second of two concurrent buyers with one address or account waits, then finds the first one's
  // customer.
  for (let round = 1; round <= 2; round += 1) {
    const found = await findBuyer(tx, buyer, emailKey)
    if (found) {
      await endUnprovenSessions(tx, buyer.organizationId, found.customer.id)
      const customer = await copyBuyer(ctx, tx, found, buyer)
      return { customer, isNew: false, isKnown: found.isKnown }
    }
    const owner = ownerOf(buyer)
    const made = await insertBuyer(ctx, tx, buyer, emailKey, owner)
    if (made) {
      await tellBuyer(ctx, tx, 'customer.created', made)
      return { customer: made, isNew: true, isKnown: owner !== undefined }
    }
  }
  throw new Error('the customer was removed while their checkout was being confirmed')
}

type Found = Pick<Admitted, 'customer' | 'isKnown'>

async function findBuyer(tx: Tx, buyer: Buyer, emailKey: string): Promise<Found | undefined> {
  const { organizationId, customerId, externalId } = buyer
  const link = linkOf(buyer)
  const customer =
    (customerId && (await lockCustomer(tx, organizationId, { id: customerId }))) ||
    (externalId && (await lockCustomer(tx, organizationId, { externalId }))) ||
    (link && (await lockCustomer(tx, organizationId, link)))
  if (customer) return { customer, isKnown: true }
  const owner = ownerOf(buyer)
  // An organization becomes a customer of its own, apart from its members' personal purchases.
  if (owner && 'buyerOrganizationId' in owner.link) return undefined
  const byAddress = owner
    ? await lockUnlinkedCustomer(tx, organizationId, owner.emailKey)
    : await lockTypedCustomer(tx, organizationId, emailKey)
  return byAddress && { customer: byAddress, isKnown: owner !== undefined }
}

const linkOf = ({ userId, buyerOrganizationId }: Buyer): CustomerLink | undefined =>
  buyerOrganizationId !== null ? { buyerOrganizationId } : userId !== null ? { userId } : undefined

/** A signed-in buyer and their account's proven address. */
type Owner = { readonly link: CustomerLink; readonly email: string; readonly emailKey: string }

function ownerOf(buyer: Buyer): Owner | undefined {
  const link = linkOf(buyer)
  const email = buyer.provenEmail
  const emailKey = email && normalizeEmail(email)
  return link && email && emailKey ? { link, email, emailKey } : undefined
}

/**
 * Returns nothing if a concurrent purchase was first. A signed-in buyer may share the address with a customer who only
 * typed it.
 */
async function insertBuyer(
  ctx: Context,
  tx: Tx,
  buyer: Buyer,
  emailKey: string,
  owner: Owner | undefined,
): Promise<CustomerRow | undefined> {
  const { taxId, billingAddress, metadata } = buyer
  return insertCustomer(tx, {
    id: newUuid(),
    organizationId: buyer.organizationId,
    ...(owner
      ? { ...owner.link, email: owner.email, emailKey: owner.emailKey, soleEmailKey: null, emailVerified: true }
      : { email: buyer.email.trim(), emailKey, soleEmailKey: emailKey, emailVerified: false }),
    name: buyer.name,
    externalId: buyer.externalId,
    billingName: buyer.billingName,
    billingAddress,
    taxId,
    metadata,
    createdAt: ctx.clock.now(),
  })
}

async function copyBuyer(ctx: Context, tx: Tx, { customer, isKnown }: Found, buyer: Buyer): Promise<CustomerRow> {
  if (!isKnown) return customer
  const metadata = merged(customer.metadata, buyer.metadata)
  const said = {
    name: buyer.name ?? customer.name,
    billingName: buyer.billingName ?? customer.billingName,
    billingAddress: buyer.billingAddress ?? customer.billingAddress,
    taxId: buyer.taxId ?? customer.taxId,
    metadata,
    ...(await newLink(tx, customer, buyer)),
  }
  if (isDeepStrictEqual({ ...customer, ...said }, customer)) return customer
  const changed = await updateCustomerRow(tx, customer.organizationId, customer.id, {
    ...said,
    modifiedAt: ctx.clock.now(),
  })
  if (!changed) throw new Error('a locked customer is missing')
  await tellBuyer(ctx, tx, 'customer.updated', changed)
  return changed
}

/** Whether a customer is linked to an account or organization of this server. */
export const isLinked = ({ userId, buyerOrganizationId }: CustomerRow): boolean =>
  userId !== null || buyerOrganizationId !== null

/** Existing keys win when the merge would exceed the limit. */
const merged = (known: Metadata, said: Metadata): Metadata =>
  Object.fromEntries(Object.entries({ ...known, ...said }).slice(0, metadataLimit))

/**
 * Links an unlinked customer to the buyer's account, or to the organization that it buys for. The account must have
 * proven the customer's address even when the seller named the customer, because people pass on links to checkouts. An
 * account or organization that is already another customer of this seller is not linked.
 */
async function newLink(tx: Tx, customer: CustomerRow, buyer: Buyer): Promise<Partial<CustomerLink>> {
  const owner = ownerOf(buyer)
  if (!owner || isLinked(customer) || owner.emailKey !== customer.emailKey) return {}
  return (await findCustomer(tx, customer.organizationId, owner.link)) ? {} : owner.link
}

/** Events name no actor for a buyer. */
async function tellBuyer(ctx: Context, tx: Tx, type: BillingEventType, { id, organizationId }: CustomerRow) {
  const shown = await findShownCustomer(tx, organizationId, id)
  if (shown) await emitBilling(tx, ctx.clock.now(), { organizationId, actorId: null }, type, toCustomer(ctx, shown))
}
