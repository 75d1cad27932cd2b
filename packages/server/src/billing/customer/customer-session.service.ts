import type { BillingAnswer, ParsedBillingBody } from '@tollgate/contract/billing-types'
import { after, hours } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { newBillingSecret, newUuid } from '../../ids.ts'
import { sha256 } from '../../token.ts'
import { inBody, invalid } from '../invalid.ts'
import type { Seller } from '../seller/seller.service.ts'
import { type CustomerKey, findShownCustomer, lockCustomer } from './customer.repository.ts'
import { insertCustomerSession } from './customer-session.repository.ts'
import { toCustomer } from './customer-view.ts'

/** How long the portal is open (CUS-5). */
const life = hours(1)

/**
 * Lets a customer into the portal for an hour; the token is told once. `isUnproven` where nothing but a typed address says
 * that it is them: it ends as soon as somebody else buys as that customer.
 */
export async function beginCustomerSession(
  ctx: Context,
  tx: Tx,
  { organizationId, customerId, isUnproven }: { organizationId: string; customerId: string; isUnproven: boolean },
): Promise<{ id: string; token: string; expiresAt: Date; createdAt: Date }> {
  const token = `tollgate_cst_${newBillingSecret()}`
  const createdAt = ctx.clock.now()
  const session = { id: newUuid(), expiresAt: after(createdAt, life), createdAt }
  await insertCustomerSession(tx, { ...session, organizationId, customerId, tokenHash: sha256(token), isUnproven })
  return { ...session, token }
}

/** The same for a seller, who names the customer by our id or by their own. */
export async function createCustomerSession(
  ctx: Context,
  { organizationId }: Seller,
  body: ParsedBillingBody<'createCustomerSession'>,
): Promise<BillingAnswer<'createCustomerSession'>> {
  const { field, key } = namedCustomer(body)
  return ctx.transaction(async (tx) => {
    // Locked: whoever is being removed must not be let in by this one.
    const locked = await lockCustomer(tx, organizationId, key)
    const customer = locked && (await findShownCustomer(tx, organizationId, locked.id))
    if (!customer) throw invalid(inBody(field, 'Customer does not exist.'))
    const session = await beginCustomerSession(ctx, tx, {
      organizationId,
      customerId: customer.id,
      isUnproven: false,
    })
    return {
      id: session.id,
      createdAt: session.createdAt.toISOString(),
      modifiedAt: null,
      token: session.token,
      expiresAt: session.expiresAt.toISOString(),
      returnUrl: body.returnUrl ?? null,
      customerPortalUrl: `${ctx.config.baseURL.origin}/portal?customer_session_token=${session.token}`,
      customerId: customer.id,
      customer: toCustomer(ctx, customer),
    }
  })
}

function namedCustomer(body: ParsedBillingBody<'createCustomerSession'>): { field: string; key: CustomerKey } {
  if (body.customerId !== undefined) return { field: 'customer_id', key: { id: body.customerId } }
  if (body.customerExternalId !== undefined)
    return { field: 'customer_external_id', key: { externalId: body.customerExternalId } }
  if (body.externalCustomerId !== undefined)
    return { field: 'external_customer_id', key: { externalId: body.externalCustomerId } }
  throw invalid(inBody('customer_id', 'Field required', 'missing'))
}
