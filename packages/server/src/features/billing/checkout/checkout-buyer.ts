import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import type { SessionRow } from '../../../foundation/db/session-row.ts'
import { TollgateError } from '../../../foundation/error.ts'
import type { Caller } from '../../../foundation/http/handler.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { findCurrentSession } from '../../identity/session.service.ts'
import { allows, findMembership } from '../../organization/membership.ts'
import type { Buyer } from '../customer/buyer.service.ts'
import { checkedTaxId } from '../customer/tax-id.ts'
import type { CheckoutRow } from './checkout.repository.ts'

/** The signed-in buyer: the account, and the active organization if it may pay for it. */
export type BuyerAccount = {
  readonly userId: Id<'user'>
  readonly email: string
  readonly name: string
  /** The account's address if it is proven. */
  readonly provenEmail: string | null
  readonly organizationId: Id<'organization'> | null
}

/** The holder of a checkout's secret, signed in or not. */
export type ActingBuyer = { readonly ipAddress: string | null; readonly account: BuyerAccount | undefined }

/**
 * Returns the buyer behind a call. An impersonating administrator counts as not signed in, because they may not buy in
 * the user's name (security, §0).
 */
export async function actingBuyer(ctx: Context, caller: Caller): Promise<ActingBuyer> {
  const current = await findCurrentSession(ctx, caller)
  const isOwn = current !== undefined && current.session.impersonatedBy === null
  return { ipAddress: caller.ipAddress || null, account: isOwn ? await accountOf(ctx, current) : undefined }
}

async function accountOf(ctx: Context, current: SessionRow): Promise<BuyerAccount> {
  const { id, email, emailVerified, name } = current.user
  const organizationId = await payingFor(ctx, current)
  return { userId: id, email, name, provenEmail: emailVerified ? email : null, organizationId }
}

/** The buyer of a complete checkout, in the form that finds their customer (CHK-15). */
export function buyerOf(row: CheckoutRow, provenEmail: string | null): Buyer {
  const billingAddress = row.customerBillingAddress
  const isTaxIdKnown = row.customerTaxId !== null && billingAddress !== null
  return {
    organizationId: row.organizationId,
    customerId: row.customerId,
    externalId: row.customerExternalId,
    email: proven(row.customerEmail, 'a complete checkout has one'),
    name: row.customerName,
    billingName: row.customerBillingName,
    billingAddress,
    taxId: isTaxIdKnown
      ? (checkedTaxId(proven(row.customerTaxId, 'it was found above'), billingAddress.country) ?? null)
      : null,
    metadata: row.customerMetadata,
    userId: row.userId,
    buyerOrganizationId: row.buyerOrganizationId,
    provenEmail,
  }
}

/** Returns the active organization if the member may pay for it. */
async function payingFor(ctx: Context, current: SessionRow): Promise<string | null> {
  const { activeOrganizationId } = current.session
  if (activeOrganizationId === null) return null
  try {
    const membership = await findMembership(ctx, ctx.db, current, activeOrganizationId)
    return membership && allows(membership, { billing: ['pay'] }) ? activeOrganizationId : null
  } catch (error) {
    // The organization requires verified addresses, and the member's is not: they buy for themselves.
    if (error instanceof TollgateError) return null
    throw error
  }
}
