import type { BillingCall } from '@tollgate/contract/billing'
import type { Context } from '../../../foundation/context.ts'
import type { SessionRow } from '../../../foundation/db/session-row.ts'
import { TollgateError } from '../../../foundation/error.ts'
import type { Asked, Parts } from '../../../foundation/http/api.ts'
import type { HeaderReader } from '../../../foundation/http/request.ts'
import { membersOf } from '../../../foundation/proof/proven.ts'
import { findCurrentSession } from '../../identity/session.service.ts'
import { customerByToken, type PortalCustomer } from './calling-customer.service.ts'
import { type Needs, type Seller, sellerBySession, sellerByToken, sellerOfServer } from './seller.service.ts'

/**
 * The seller that a billing call acts for, and the session; or the customer who calls. Calls that need none of them leave
 * all `undefined`.
 */
export type Acting = {
  readonly seller: Seller | undefined
  readonly current: SessionRow | undefined
  readonly customer?: PortalCustomer
}

export const bearerOf = (headers: HeaderReader): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]

export const isForSellers = ({ auth }: BillingCall): boolean => auth === 'seller' || auth === 'user'

/** Whether a token says who calls: a browser sends none by itself. */
export const takesToken = (call: BillingCall): boolean => isForSellers(call) || call.auth === 'customer'

/**
 * Finds the seller by a token, by a member's session, or by the organization that server code names; or the customer, by
 * the token of their portal session alone.
 */
export async function authenticateCaller(ctx: Context, asked: Asked<BillingCall>): Promise<Acting> {
  const { call, given } = asked
  const acting = await findActing(ctx, asked)
  if (acting.seller) {
    assertOwnOrganization(acting.seller, 'body', given.body)
    // Reads that name another organization return an empty page.
    if (call.method !== 'GET') assertOwnOrganization(acting.seller, 'query', given.query)
  }
  return acting
}

async function findActing(ctx: Context, { call, caller, given }: Asked<BillingCall>): Promise<Acting> {
  if (call.auth === 'customer')
    return { seller: undefined, current: undefined, customer: await customerByToken(ctx, bearerOf(caller.headers)) }
  if (!isForSellers(call)) return { seller: undefined, current: undefined }
  const needs: Needs = { scope: call.scope, permission: permissionIn(call), beforeApproval: call.approved !== true }
  const bearer = bearerOf(caller.headers)
  if (bearer !== undefined) {
    if (call.auth === 'user') throw new TollgateError('UNAUTHORIZED')
    return { seller: await sellerByToken(ctx, bearer, needs), current: undefined }
  }
  const current = await findCurrentSession(ctx, caller)
  if (current) {
    if (call.own && current.session.impersonatedBy !== null) throw new TollgateError('NOT_ALLOWED_WHILE_IMPERSONATING')
    if (call.ofPerson) return { seller: undefined, current }
    const organizationId = organizationNamed(call, given) ?? current.session.activeOrganizationId ?? undefined
    return { seller: await sellerBySession(ctx, current, organizationId, needs), current }
  }
  if (caller.isServer)
    return { seller: await sellerOfServer(ctx, organizationNamed(call, given), needs), current: undefined }
  throw new TollgateError('UNAUTHORIZED')
}

function permissionIn({ permission }: BillingCall): Needs['permission'] {
  if (permission === undefined) return undefined
  const [resource = '', action = ''] = permission.split(':')
  return { resource, action }
}

/**
 * Returns the organization that a request names, still unchecked: in its path for calls about one, in its query, else
 * in its body.
 */
function organizationNamed({ organizationIn }: BillingCall, { params, query, body }: Parts): string | undefined {
  if (organizationIn === 'path') {
    const { id } = membersOf(params)
    return typeof id === 'string' ? id : undefined
  }
  for (const place of [query, body]) {
    const named = organizationIdIn(place)
    const first: unknown = Array.isArray(named) ? named[0] : named
    if (typeof first === 'string' && first !== '') return first
  }
  return undefined
}

const organizationIdIn = (place: unknown): unknown => membersOf(place).organizationId

/** Callers create and change only objects of the organization that they act for (contract, "Tenancy"). */
function assertOwnOrganization(seller: Seller, place: 'body' | 'query', given: unknown): void {
  const named = organizationIdIn(given)
  if (named === undefined || named === null) return
  if ([named].flat().every((each) => each === seller.organizationId)) return
  const issue = {
    loc: [place, 'organization_id'],
    msg: 'The token belongs to another organization.',
    type: 'organization_token',
  }
  throw new TollgateError('REQUEST_INVALID', { issues: [issue] })
}

const emptyPage = { items: [], pagination: { totalCount: 0, maxPage: 0, nextCursor: null } }

/** A list for another organization is empty; a file for it is not found. */
export function answerForOtherOrganization({ seller }: Acting, call: BillingCall, { query }: Parts): unknown {
  const named = organizationIdIn(query)
  if (!seller || !Array.isArray(named) || named.includes(seller.organizationId)) return undefined
  if (call.givesFile) throw new TollgateError('RESOURCE_NOT_FOUND')
  return emptyPage
}

/**
 * The owner of an idempotency key: a token, a member within an organization, a signed-in person, a customer, or the
 * secret in the path.
 */
export const keyOwnerOf = (
  { seller, current, customer }: Acting,
  { call, caller, given }: Asked<BillingCall>,
): (string | null)[] => {
  if (seller)
    return [
      seller.by,
      seller.organizationId,
      seller.by === 'token' ? (bearerOf(caller.headers) ?? null) : seller.userId,
    ]
  if (current) return ['person', current.user.id]
  return [call.auth, customer ? customer.id : JSON.stringify(given.params)]
}
