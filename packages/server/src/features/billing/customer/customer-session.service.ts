import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import { after, hours } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { newBillingSecret, newUuid } from '../../../foundation/ids.ts'
import { sha256 } from '../../../foundation/token.ts'
import { inBody, invalid } from '../invalid.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import type { Admitted } from './buyer.service.ts'
import { type CustomerKey, findShownCustomer, lockCustomer } from './customer.repository.ts'
import { insertCustomerSession } from './customer-session.repository.ts'
import { toCustomer } from './customer-view.ts'

/** Lifetime of a portal session (CUS-5). */
const life = hours(1)

/**
 * Opens a portal session; only this call returns its token. Set `isUnproven` when only a typed address identifies the
 * customer: the session ends when another buyer uses that customer.
 */
async function beginCustomerSession(
  ctx: Context,
  tx: Tx,
  {
    organizationId,
    customerId,
    isUnproven,
  }: { organizationId: Id<'organization'>; customerId: Id<'customer'>; isUnproven: boolean },
): Promise<{ id: Id<'customerSession'>; token: string; expiresAt: Date; createdAt: Date }> {
  const token = newSessionToken()
  const createdAt = ctx.clock.now()
  const session = { id: newUuid(), expiresAt: after(createdAt, life), createdAt }
  await insertCustomerSession(tx, { ...session, organizationId, customerId, tokenHash: sha256(token), isUnproven })
  return { ...session, token }
}

/**
 * Opens a portal session for the buyer of a purchase, and returns its token. Anyone can type an address, so a buyer who
 * is found by it alone gets no access to earlier purchases: their token looks like a real one but has no session.
 */
export async function beginBuyerSession(ctx: Context, tx: Tx, { customer, isKnown, isNew }: Admitted): Promise<string> {
  if (!isKnown && !isNew) return newSessionToken()
  const { organizationId, id: customerId } = customer
  return (await beginCustomerSession(ctx, tx, { organizationId, customerId, isUnproven: !isKnown })).token
}

const newSessionToken = (): string => `tollgate_cst_${newBillingSecret()}`

/** Opens a portal session for the seller, who names the customer by either id. */
export const createCustomerSession: BillingHandler<'createCustomerSession'> = async ({ ctx, seller, body }) => {
  const { organizationId } = seller
  const { field, key } = namedCustomer(body)
  return ctx.transaction(async (tx) => {
    // The lock keeps a customer who is being removed from getting a session.
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
