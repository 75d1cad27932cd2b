import type { Context } from '../../context.ts'
import type { SessionRow } from '../../db/session-row.ts'
import { TollgateError } from '../../error.ts'
import type { Caller } from '../../http/route.ts'
import { findCurrentSession } from '../../identity/session.service.ts'
import { allows, findMembership } from '../../membership.ts'
import type { Buyer } from '../customer/buyer.service.ts'
import { checkedTaxId } from '../customer/tax-id.ts'
import type { CheckoutRow } from './checkout.repository.ts'

/** Who a buyer is on this server: an account, and the organization that it may pay for at the moment. */
export type BuyerAccount = {
  readonly userId: string
  readonly email: string
  readonly name: string
  /** The same, where the account has proven it. */
  readonly provenEmail: string | null
  readonly organizationId: string | null
}

/** Who acts on a checkout by its secret: anybody who has it, signed in or not. */
export type ActingBuyer = { readonly ipAddress: string | null; readonly account: BuyerAccount | undefined }

/**
 * The buyer behind a call. An administrator who acts as somebody else buys nothing in that name: they count as nobody
 * (security, §0).
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

/** Whoever confirms a complete checkout, as the customers of the seller know them (CHK-15). */
export function buyerOf(row: CheckoutRow, provenEmail: string | null): Buyer {
  const billingAddress = row.customerBillingAddress as Buyer['billingAddress'] // written from a checked address
  const isTaxIdKnown = row.customerTaxId !== null && billingAddress !== null
  return {
    organizationId: row.organizationId,
    customerId: row.customerId,
    externalId: row.customerExternalId,
    email: row.customerEmail!, // complete
    name: row.customerName,
    billingName: row.customerBillingName,
    billingAddress,
    taxId: isTaxIdKnown ? (checkedTaxId(row.customerTaxId!, billingAddress.country) ?? null) : null,
    metadata: row.customerMetadata as Buyer['metadata'], // written from its schema
    userId: row.userId,
    buyerOrganizationId: row.buyerOrganizationId,
    provenEmail,
  }
}

/** The active organization, of those who may pay for it. */
async function payingFor(ctx: Context, current: SessionRow): Promise<string | null> {
  const { activeOrganizationId } = current.session
  if (activeOrganizationId === null) return null
  try {
    const membership = await findMembership(ctx, ctx.db, current, activeOrganizationId)
    return membership && allows(membership, { billing: ['pay'] }) ? activeOrganizationId : null
  } catch (error) {
    // It wants verified addresses, and theirs is not: they buy for themselves.
    if (error instanceof TollgateError) return null
    throw error
  }
}
