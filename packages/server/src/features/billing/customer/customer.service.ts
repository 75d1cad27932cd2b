import type { Customer } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import { type Db, type Id, isUniqueViolation, type Tx } from '../../../foundation/db/database.ts'
import { type InputIssue, TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { normalizeEmail } from '../../identity/profile-rules.ts'
import { lockUser, type UserRow } from '../../identity/users.service.ts'
import { keepOrganization } from '../../organization/membership.service.ts'
import { type EventScope, emitBilling } from '../events.ts'
import { inBody, invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import type { Seller } from '../seller/seller.service.ts'
import {
  type CustomerKey,
  type CustomerRow,
  customerTotals,
  findCustomer,
  findShownCustomer,
  insertCustomer,
  isMemberByAddress,
  lockCustomer,
  pageOfCustomers,
  updateCustomerRow,
} from './customer.repository.ts'
import { type AskedOfCustomer, type CustomerChanges, checkedChanges } from './customer-changes.ts'
import { findCustomerState, tellStateChanged } from './customer-state.ts'
import { toCustomer } from './customer-view.ts'

/** Lists an organization's customers; the address filter ignores spelling. */
export const listCustomers: BillingHandler<'listCustomers'> = async ({ ctx, seller: { organizationId }, query }) => {
  const { rows, pagination } = await pageOfCustomers(ctx.database.lists, organizationId, {
    ...query,
    email: keyOf(query.email),
  })
  return { items: rows.map((row) => toCustomer(ctx, row)), pagination }
}

/** An address as customers are found by it, whatever its spelling. */
export const keyOf = (email: string | undefined): string | undefined =>
  email ? (normalizeEmail(email) ?? email.toLowerCase()) : undefined

/** What customers have spent. Unknown ones, and those without an order, have no row. */
export const listCustomerTotals: BillingHandler<'listCustomerTotals'> = async ({
  ctx,
  seller: { organizationId },
  query: { customerId = [] },
}) => {
  const rows = await customerTotals(ctx.database.lists, organizationId, customerId)
  return { items: rows.map((row) => ({ ...row, lastOrderAt: row.lastOrderAt.toISOString() })) }
}

/** Returns a customer by either id; a removed one is not found. */
export const getCustomer: BillingHandler<'getCustomer' | 'getExternalCustomer'> = async ({ ctx, seller, params }) => {
  const { organizationId } = seller
  const id = await idOf(ctx, seller, params)
  return shown(ctx, ctx.db, organizationId, id)
}

export const getCustomerState: BillingHandler<'getCustomerState' | 'getExternalCustomerState'> = async ({
  ctx,
  seller,
  params,
}) => {
  const state = await findCustomerState(ctx, ctx.db, seller.organizationId, await idOf(ctx, seller, params))
  if (!state) throw new TollgateError('RESOURCE_NOT_FOUND')
  return state
}

async function idOf(ctx: Context, { organizationId }: Seller, key: CustomerKey): Promise<string> {
  const customer = await findCustomer(ctx.db, organizationId, key)
  if (!customer) throw new TollgateError('RESOURCE_NOT_FOUND')
  return customer.id
}

/** Creates a customer. Address and external id are unique within the organization (contract, "Customers"). */
export const createCustomer: BillingHandler<'createCustomer'> = async ({ ctx, seller, body }) => {
  const { organizationId } = seller
  const { changes, issues } = checkedChanges(body, undefined)
  return ctx.transaction(async (tx) => {
    const kept = await keepLinks(tx, changes)
    issues.push(...(await linkIssues(tx, seller, changes, kept)))
    issues.push(...(await takenIssues(tx, organizationId, changes)))
    // `issues` already reports an invalid address.
    if (issues.length > 0 || changes.email === undefined || changes.emailKey === undefined) throw invalid(...issues)
    const made = await insertCustomer(tx, {
      id: newUuid(),
      organizationId,
      emailVerified: false,
      metadata: {},
      ...changes,
      email: changes.email,
      emailKey: changes.emailKey,
      soleEmailKey: changes.emailKey,
      createdAt: ctx.clock.now(),
    })
    // A concurrent request took the address or external id first.
    if (!made) throw invalid(...(await takenIssues(tx, organizationId, changes)))
    return tellCustomer(ctx, tx, seller, 'customer.created', made.id)
  })
}

/** Updates a customer. `force` replaces an existing external id (CUS-6). */
export const updateCustomer: BillingHandler<'updateCustomer'> = ({ ctx, seller, params, body, query }) =>
  update(ctx, seller, params, body, query.force)

export const updateExternalCustomer: BillingHandler<'updateExternalCustomer'> = ({ ctx, seller, params, body }) =>
  update(ctx, seller, params, body)

async function update(
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
      // Lock order: accounts and organizations before the customer.
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
      return tellCustomer(ctx, tx, seller, 'customer.updated', before.id)
    })
  } catch (cause) {
    // A concurrent request was first: the unique indexes decide.
    if (isUniqueViolation(cause)) throw invalid(...(await takenIssues(ctx.db, organizationId, asked)))
    throw cause
  }
}

/**
 * Removes a customer (CUS-1): subscriptions and payments end at once, orders stay, and the address and external id
 * become free. A removed customer is not found again.
 */
export const deleteCustomer: BillingHandler<'deleteCustomer' | 'deleteExternalCustomer'> = async ({
  ctx,
  seller,
  params,
}) => {
  const { organizationId, actorId } = seller
  await ctx.transaction(async (tx) => {
    const customer = await lockCustomer(tx, organizationId, params)
    if (!customer) throw new TollgateError('RESOURCE_NOT_FOUND')
    const now = ctx.clock.now()
    await updateCustomerRow(tx, organizationId, customer.id, { deletedAt: now, modifiedAt: now })
    await ctx.purchases.endAll(ctx, tx, customer, actorId)
    await tellCustomer(ctx, tx, seller, 'customer.deleted', customer.id)
  })
}

/** Emits the event and the customer's new state (CUS-4); returns the customer as the event shows it. */
export async function tellCustomer(
  ctx: Context,
  tx: Tx,
  { organizationId, actorId }: EventScope,
  type: 'customer.created' | 'customer.updated' | 'customer.deleted',
  id: Id<'customer'>,
): Promise<Customer> {
  const customer = await shown(ctx, tx, organizationId, id)
  await emitBilling(tx, ctx.clock.now(), { organizationId, actorId }, type, customer)
  await tellStateChanged(ctx, tx, organizationId, id, actorId)
  return customer
}

async function shown(ctx: Context, db: Db, organizationId: Id<'organization'>, id: Id<'customer'>): Promise<Customer> {
  const row = await findShownCustomer(db, organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toCustomer(ctx, row)
}

type Links = Partial<Pick<CustomerRow, 'userId' | 'buyerOrganizationId'>>
/** The named account and organization, as far as they exist. */
type Kept = { readonly user: UserRow | undefined; readonly isOrganizationThere: boolean }

/** Locks the account or organization until the link is written. */
const keepLinks = async (
  tx: Tx,
  { userId, buyerOrganizationId }: Partial<Pick<AskedOfCustomer, 'userId' | 'buyerOrganizationId'>>,
): Promise<Kept> => ({
  user: userId ? await lockUser(tx, userId) : undefined,
  isOrganizationThere: buyerOrganizationId ? await keepOrganization(tx, buyerOrganizationId) : false,
})

/**
 * Checks whom a customer may be linked to: an account with the customer's address, or an organization with such an
 * account as a member. A seller gets the same error for every other id, or sellers could probe who has an account
 * here. Server code may link anyone.
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
  const mayLink = async (id: Id<'organization'>) => isServer || isMemberByAddress(tx, id, emailKey)
  if (isNewOrganization && !(isOrganizationThere && (await mayLink(buyerOrganizationId))))
    issues.push(inBody('buyer_organization_id', 'Organization does not exist.'))
  return issues
}

/**
 * Reports values that another customer holds. Only changed values are checked, so a customer never conflicts with
 * itself.
 */
async function takenIssues(
  db: Db,
  organizationId: Id<'organization'>,
  { emailKey, externalId, userId, buyerOrganizationId }: CustomerChanges,
  id?: Id<'customer'>,
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
  if (userId && (await isOther({ userId }))) issues.push(inBody('user_id', 'Another customer already has this user.'))
  if (buyerOrganizationId && (await isOther({ buyerOrganizationId })))
    issues.push(inBody('buyer_organization_id', 'Another customer already has this organization.'))
  return issues
}
