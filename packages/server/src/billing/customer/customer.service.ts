import type {
  BillingAnswer,
  Customer,
  CustomerState,
  ParsedBillingBody,
  ParsedBillingQuery,
} from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import { type Db, isUniqueViolation, type Tx } from '../../db/database.ts'
import { toJson } from '../../db/tables.ts'
import { type InputIssue, TollgateError } from '../../error.ts'
import { normalizeEmail } from '../../identity/profile-rules.ts'
import { lockUser, type UserRow } from '../../identity/users.service.ts'
import { newUuid } from '../../ids.ts'
import { keepOrganization } from '../../organization/membership.service.ts'
import { emitBilling } from '../events.ts'
import { inBody, invalid } from '../invalid.ts'
import type { Seller } from '../seller/seller.service.ts'
import {
  type CustomerKey,
  type CustomerRow,
  findCustomer,
  findShownCustomer,
  insertCustomer,
  isMemberByAddress,
  lockCustomer,
  pageOfCustomers,
  updateCustomerRow,
} from './customer.repository.ts'
import { type AskedOfCustomer, type CustomerChanges, checkedChanges } from './customer-changes.ts'
import { endAllOf } from './customer-deletion.ts'
import { findCustomerState, tellStateChanged } from './customer-state.ts'
import { toCustomer } from './customer-view.ts'

export { type Admitted, admitBuyer, type Buyer } from './buyer.service.ts'
export type { CustomerRow } from './customer.repository.ts'

/** The customers of an organization; an address is looked for however it is written. */
export async function listCustomers(
  ctx: Context,
  { organizationId }: Seller,
  query: ParsedBillingQuery<'listCustomers'>,
): Promise<BillingAnswer<'listCustomers'>> {
  const email = query.email && (normalizeEmail(query.email) ?? query.email.toLowerCase())
  const { rows, pagination } = await pageOfCustomers(ctx.database.lists, organizationId, {
    ...query,
    email: email || undefined,
  })
  return { items: rows.map((row) => toCustomer(ctx, row)), pagination }
}

/** A customer by our id or the seller's; whoever has been removed is not found. */
export async function getCustomer(ctx: Context, seller: Seller, key: CustomerKey): Promise<Customer> {
  const { organizationId } = seller
  const id = await idOf(ctx, seller, key)
  return shown(ctx, ctx.db, organizationId, id)
}

export async function getCustomerState(ctx: Context, seller: Seller, key: CustomerKey): Promise<CustomerState> {
  const state = await findCustomerState(ctx, ctx.db, seller.organizationId, await idOf(ctx, seller, key))
  if (!state) throw new TollgateError('RESOURCE_NOT_FOUND')
  return state
}

async function idOf(ctx: Context, { organizationId }: Seller, key: CustomerKey): Promise<string> {
  const customer = await findCustomer(ctx.db, organizationId, key)
  if (!customer) throw new TollgateError('RESOURCE_NOT_FOUND')
  return customer.id
}

/** Makes a customer. Their address, and the seller's own id of them, is nobody else's (contract, "Customers"). */
export async function createCustomer(
  ctx: Context,
  seller: Seller,
  body: ParsedBillingBody<'createCustomer'>,
): Promise<Customer> {
  const { organizationId } = seller
  const { changes, issues } = checkedChanges(body, undefined)
  return ctx.transaction(async (tx) => {
    const kept = await keepLinks(tx, changes)
    issues.push(...(await linkIssues(tx, seller, changes, kept)))
    issues.push(...(await takenIssues(tx, organizationId, changes)))
    // An address that is none is among the issues.
    if (issues.length > 0 || changes.email === undefined || changes.emailKey === undefined) throw invalid(...issues)
    const made = await insertCustomer(tx, {
      id: newUuid(),
      organizationId,
      emailVerified: false,
      metadata: toJson({}),
      ...changes,
      email: changes.email,
      emailKey: changes.emailKey,
      soleEmailKey: changes.emailKey,
      createdAt: ctx.clock.now(),
    })
    // Somebody was first a moment ago.
    if (!made) throw invalid(...(await takenIssues(tx, organizationId, changes)))
    return told(ctx, tx, seller, 'customer.created', made.id)
  })
}

/** Changes a customer. `force` replaces an external id that is set already (CUS-6). */
export async function updateCustomer(
  ctx: Context,
  seller: Seller,
  key: CustomerKey,
  body: AskedOfCustomer,
  force = false,
): Promise<Customer> {
  const { organizationId } = seller
  let asked: CustomerChanges = {}
  try {
    return await ctx.transaction(async (tx) => {
      // Before the customer, whose lock comes after those of accounts and organizations.
      const kept = await keepLinks(tx, body)
      const before = await lockCustomer(tx, organizationId, key)
      if (!before) throw new TollgateError('RESOURCE_NOT_FOUND')
      const { changes, issues } = checkedChanges(body, before, force)
      asked = changes
      issues.push(
        ...(await linkIssues(tx, seller, { ...before, ...changes }, kept, before)),
        ...(await takenIssues(tx, organizationId, changes, before.id)),
      )
      if (issues.length > 0) throw invalid(...issues)
      if (Object.keys(changes).length === 0) return shown(ctx, tx, organizationId, before.id)
      await updateCustomerRow(tx, organizationId, before.id, {
        ...changes,
        ...(changes.emailKey !== undefined && { soleEmailKey: changes.emailKey }),
        modifiedAt: ctx.clock.now(),
      })
      return told(ctx, tx, seller, 'customer.updated', before.id)
    })
  } catch (cause) {
    // Somebody was first a moment ago: the unique indexes decide.
    if (isUniqueViolation(cause)) throw invalid(...(await takenIssues(ctx.db, organizationId, asked)))
    throw cause
  }
}

/**
 * Removes a customer (CUS-1): what they have ends at once, orders stay, and their address and external id are free again.
 * Whoever has been removed already is not found.
 */
export async function deleteCustomer(ctx: Context, seller: Seller, key: CustomerKey): Promise<undefined> {
  const { organizationId, actorId } = seller
  await ctx.transaction(async (tx) => {
    const customer = await lockCustomer(tx, organizationId, key)
    if (!customer) throw new TollgateError('RESOURCE_NOT_FOUND')
    const now = ctx.clock.now()
    await updateCustomerRow(tx, organizationId, customer.id, { deletedAt: now, modifiedAt: now })
    await endAllOf(ctx, tx, customer, actorId)
    await told(ctx, tx, seller, 'customer.deleted', customer.id)
  })
}

/** Tells of a change, and of what the customer has after it (CUS-4); gives the customer as they are told. */
async function told(
  ctx: Context,
  tx: Tx,
  { organizationId, actorId }: Seller,
  type: 'customer.created' | 'customer.updated' | 'customer.deleted',
  id: string,
): Promise<Customer> {
  const customer = await shown(ctx, tx, organizationId, id)
  await emitBilling(tx, ctx.clock.now(), { organizationId, actorId }, type, customer)
  await tellStateChanged(ctx, tx, organizationId, id, actorId)
  return customer
}

async function shown(ctx: Context, db: Db, organizationId: string, id: string): Promise<Customer> {
  const row = await findShownCustomer(db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toCustomer(ctx, row)
}

type Links = Partial<Pick<CustomerRow, 'userId' | 'buyerOrganizationId'>>
/** Of what is named, what is there. */
type Kept = { readonly user: UserRow | undefined; readonly isOrganizationThere: boolean }

/** Whoever a customer is linked to stays until it is written. */
const keepLinks = async (
  tx: Tx,
  { userId, buyerOrganizationId }: Partial<Pick<AskedOfCustomer, 'userId' | 'buyerOrganizationId'>>,
): Promise<Kept> => ({
  user: userId ? await lockUser(tx, userId) : undefined,
  isOrganizationThere: buyerOrganizationId ? await keepOrganization(tx, buyerOrganizationId) : false,
})

/**
 * Whom a customer may be linked to: an account that has the customer's address, or an organization of which such an account
 * is a member. Everybody else does not exist for a seller: else any of them could ask who is on this installation. Server
 * code knows all of them anyway.
 */
async function linkIssues(
  tx: Tx,
  { by }: Seller,
  { userId, buyerOrganizationId, emailKey = '' }: Links & { emailKey?: string },
  { user, isOrganizationThere }: Kept,
  before: Links = {},
): Promise<InputIssue[]> {
  const issues: InputIssue[] = []
  const isServer = by === 'server'
  if (userId && userId !== before.userId && !(user && (isServer || user.email === emailKey)))
    issues.push(inBody('user_id', 'User does not exist.'))
  const isNewOrganization = buyerOrganizationId && buyerOrganizationId !== before.buyerOrganizationId
  const mayLink = async (id: string) => isServer || isMemberByAddress(tx, id, emailKey)
  if (isNewOrganization && !(isOrganizationThere && (await mayLink(buyerOrganizationId))))
    issues.push(inBody('buyer_organization_id', 'Organization does not exist.'))
  return issues
}

/** What of a customer somebody else has. Only what changes is looked at, so that nobody is in their own way. */
async function takenIssues(
  db: Db,
  organizationId: string,
  { emailKey, externalId, userId, buyerOrganizationId }: CustomerChanges,
  id?: string,
): Promise<InputIssue[]> {
  const issues: InputIssue[] = []
  const isOther = async (key: CustomerKey) => {
    const known = await findCustomer(db, organizationId, key)
    return known !== undefined && known.id !== id
  }
  if (emailKey !== undefined && (await findCustomer(db, organizationId, { emailKey })))
    issues.push(inBody('email', 'A customer with this email address already exists.'))
  if (externalId != null && (await findCustomer(db, organizationId, { externalId })))
    issues.push(inBody('external_id', 'A customer with this external ID already exists.'))
  if (userId && (await isOther({ userId }))) issues.push(inBody('user_id', 'This user is another customer already.'))
  if (buyerOrganizationId && (await isOther({ buyerOrganizationId })))
    issues.push(inBody('buyer_organization_id', 'This organization is another customer already.'))
  return issues
}
