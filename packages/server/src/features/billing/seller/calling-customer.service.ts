import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { sha256 } from '../../../foundation/token.ts'
import { findSessionCustomer } from './seller.repository.ts'

/**
 * A customer who calls by their portal session. Every call of customers reads and writes by it alone: what is not theirs
 * is not found (billing contract, section 1, "Tenancy").
 */
export type PortalCustomer = { readonly id: Id<'customer'>; readonly organizationId: Id<'organization'> }

const tokenPattern = /^tollgate_cst_[A-Za-z0-9]{43}$/

/** Returns the customer of a portal session's token. Throws UNAUTHORIZED for any other token, and once it has expired. */
export async function customerByToken(ctx: Context, token: string | undefined): Promise<PortalCustomer> {
  const isOfCustomer = token !== undefined && tokenPattern.test(token)
  const found = isOfCustomer ? await findSessionCustomer(ctx.db, sha256(token), ctx.clock.now()) : undefined
  if (!found) throw new TollgateError('UNAUTHORIZED')
  return found
}
