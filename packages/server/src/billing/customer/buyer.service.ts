import { isDeepStrictEqual } from 'node:util'
import type { BillingEventType } from '@tollgate/contract/billing'
import type { Address } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { toJson } from '../../db/tables.ts'
import { normalizeEmail } from '../../identity/profile-rules.ts'
import { newUuid } from '../../ids.ts'
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

/** Who confirms a checkout, as far as it is known. */
export type Buyer = {
  readonly organizationId: string
  readonly customerId: string | null
  readonly externalId: string | null
  /** What they have typed: nobody knows whether it is theirs. */
  readonly email: string
  readonly name: string | null
  readonly billingName: string | null
  readonly billingAddress: Address | null
  /** Checked by then: the number and its kind. */
  readonly taxId: readonly [number: string, format: string] | null
  readonly metadata: Metadata
  /** The account that buys, or the organization that it buys for; never both. */
  readonly userId: string | null
  readonly buyerOrganizationId: string | null
  /** The account's own address, where the account has proven it. */
  readonly provenEmail: string | null
}

/** The customer of a purchase, locked until the transaction ends. */
export type Admitted = {
  readonly customer: CustomerRow
  /** Made by this purchase: there is nothing of theirs but what the buyer has just said. */
  readonly isNew: boolean
  /** Whether the buyer is that customer: the seller has named them, or they are signed in as them. */
  readonly isKnown: boolean
}

/** Most keys of metadata (contract, section 1). */
const metadataLimit = 50

/**
 * The customer of a confirmed checkout (CHK-15): matched by id, else by the seller's own id, else by who they are on this
 * server. Whoever is signed in with an address that they have proven is a customer under that address, whatever they typed:
 * an account is never linked to an address that is not its own. Only of everybody else what they typed decides. What the
 * buyer said is copied, metadata merged; but a customer who is an account's or an organization's, and was found by nothing
 * but a typed address, stays as they are. Emits customer.created, or customer.updated where something changes.
 */
export async function admitBuyer(ctx: Context, tx: Tx, buyer: Buyer): Promise<Admitted> {
  const emailKey = normalizeEmail(buyer.email)
  if (emailKey === null) throw new Error('a checkout was confirmed with an address that is none')
  // Twice: of two buyers with one address, or one account, the second one waits for the first, and then finds the customer.
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
  throw new Error('a customer was removed while a checkout of theirs was confirmed')
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
  // What somebody has bought for themselves is not their organization's: that one becomes a customer of its own.
  if (owner && 'buyerOrganizationId' in owner.link) return undefined
  const byAddress = owner
    ? await lockUnlinkedCustomer(tx, organizationId, owner.emailKey)
    : await lockTypedCustomer(tx, organizationId, emailKey)
  return byAddress && { customer: byAddress, isKnown: owner !== undefined }
}

const linkOf = ({ userId, buyerOrganizationId }: Buyer): CustomerLink | undefined =>
  buyerOrganizationId !== null ? { buyerOrganizationId } : userId !== null ? { userId } : undefined

/** Who a signed-in buyer is, and the address that their account has proven; nothing without one. */
type Owner = { readonly link: CustomerLink; readonly email: string; readonly emailKey: string }

function ownerOf(buyer: Buyer): Owner | undefined {
  const link = linkOf(buyer)
  const email = buyer.provenEmail
  const emailKey = email && normalizeEmail(email)
  return link && email && emailKey ? { link, email, emailKey } : undefined
}

/** Nothing where somebody else was first. Whoever is signed in shares their address with those who merely typed it. */
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
    billingAddress: billingAddress && toJson(billingAddress),
    taxId: taxId && toJson(taxId),
    metadata: toJson(metadata),
    createdAt: ctx.clock.now(),
  })
}

async function copyBuyer(ctx: Context, tx: Tx, { customer, isKnown }: Found, buyer: Buyer): Promise<CustomerRow> {
  if (!isKnown && isLinked(customer)) return customer
  const metadata = merged(customer.metadata as Metadata, buyer.metadata) // written from the schema of metadata
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
    billingAddress: said.billingAddress === null ? null : toJson(said.billingAddress),
    taxId: said.taxId === null ? null : toJson(said.taxId),
    metadata: toJson(metadata),
    modifiedAt: ctx.clock.now(),
  })
  if (!changed) throw new Error('a locked customer has gone')
  await tellBuyer(ctx, tx, 'customer.updated', changed)
  return changed
}

/** Whether a customer is an account or an organization of this server. */
export const isLinked = ({ userId, buyerOrganizationId }: CustomerRow): boolean =>
  userId !== null || buyerOrganizationId !== null

/** What was there stays where there would be more keys than are allowed. */
const merged = (known: Metadata, said: Metadata): Metadata =>
  Object.fromEntries(Object.entries({ ...known, ...said }).slice(0, metadataLimit))

/**
 * Who a customer is on this server, where nobody has said so yet: the account with the same, proven address, or what it buys
 * for; and only where that is no other customer of this seller. Also whom the seller has named is linked to nobody else:
 * links to checkouts are passed on.
 */
async function newLink(tx: Tx, customer: CustomerRow, buyer: Buyer): Promise<Partial<CustomerLink>> {
  const owner = ownerOf(buyer)
  if (!owner || isLinked(customer) || owner.emailKey !== customer.emailKey) return {}
  return (await findCustomer(tx, customer.organizationId, owner.link)) ? {} : owner.link
}

/** A buyer is nobody whom events could name as their actor. */
async function tellBuyer(ctx: Context, tx: Tx, type: BillingEventType, { id, organizationId }: CustomerRow) {
  const shown = await findShownCustomer(tx, organizationId, id)
  if (shown) await emitBilling(tx, ctx.clock.now(), { organizationId, actorId: null }, type, toCustomer(ctx, shown))
}
