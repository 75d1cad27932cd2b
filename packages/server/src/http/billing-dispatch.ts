import {
  type BillingCall,
  type BillingCallName,
  billingCalls,
  fromWire,
  isOpaqueKey,
  wirePath,
} from '@tollgate/contract/billing'
import { billingSchemas, type Endpoint } from '@tollgate/contract/billing-schemas'
import type { BillingAnswer, BillingBody, BillingParams, BillingQuery } from '@tollgate/contract/billing-types'
import type { ErrorName } from '@tollgate/contract/calls'
import type { z } from 'zod'
import { customFieldRoutes } from '../billing/catalog/custom-field.routes.ts'
import { fileRoutes } from '../billing/catalog/file.routes.ts'
import { meterRoutes } from '../billing/catalog/meter.routes.ts'
import { productRoutes } from '../billing/catalog/product.routes.ts'
import { checkoutRoutes } from '../billing/checkout/checkout.routes.ts'
import { storefrontRoutes } from '../billing/checkout/storefront.routes.ts'
import { customerRoutes } from '../billing/customer/customer.routes.ts'
import { discountRoutes } from '../billing/discount/discount.routes.ts'
import { documentRoutes } from '../billing/documents/document.routes.ts'
import { orderRoutes } from '../billing/order/order.routes.ts'
import { processorRoutes } from '../billing/payments/processor.routes.ts'
import { sandboxRoutes } from '../billing/payments/sandbox.routes.ts'
import { refundRoutes } from '../billing/refund/refund.routes.ts'
import { accessTokenRoutes } from '../billing/seller/access-token.routes.ts'
import { merchantRoutes } from '../billing/seller/merchant.routes.ts'
import {
  type Needs,
  type Seller,
  sellerBySession,
  sellerByToken,
  sellerOfServer,
} from '../billing/seller/seller.service.ts'
import { taxRoutes } from '../billing/tax/tax.routes.ts'
import { timelineRoutes } from '../billing/timeline/timeline.routes.ts'
import { webhookRoutes } from '../billing/webhooks/webhook.routes.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { type InputIssue, TollgateError } from '../error.ts'
import { findCurrentSession } from '../identity/session.service.ts'
import { Reply } from './billing-route.ts'
import { createCaller } from './caller.ts'
import { answeredOnce } from './idempotency.ts'
import { inputIssues } from './input-issues.ts'
import { assertOrigin, type Origins } from './origin.ts'

/** The routes of everything that is sold. */
export const billingRoutes = {
  ...merchantRoutes,
  ...accessTokenRoutes,
  ...productRoutes,
  ...customFieldRoutes,
  ...meterRoutes,
  ...fileRoutes,
  ...customerRoutes,
  ...discountRoutes,
  ...checkoutRoutes,
  ...orderRoutes,
  ...refundRoutes,
  ...documentRoutes,
  ...taxRoutes,
  ...webhookRoutes,
  ...timelineRoutes,
  ...processorRoutes,
  ...sandboxRoutes,
  ...storefrontRoutes,
}

export type BillingInput = {
  /** In our spelling, of server code; requests bring `readBody`. */
  readonly body?: unknown
  /** Reads the body as it came over the wire. */
  readonly readBody?: (() => Promise<unknown>) | undefined
  readonly file?: ReadableStream<Uint8Array> | null
  readonly query?: unknown
  readonly params?: unknown
  readonly headers?: Headers | Record<string, string> | undefined
  readonly remoteAddress?: string | undefined
}

/** What server code gives a call: the same in camelCase, and for whom it acts. */
export type BillingCallInput<Name extends BillingCallName> = {
  readonly body?: BillingBody<Name> | undefined
  readonly query?: (Part<BillingQuery<Name>> & { readonly organizationId?: string | undefined }) | undefined
  readonly params?: BillingParams<Name> | undefined
  readonly headers?: Headers | Record<string, string> | undefined
  readonly remoteAddress?: string | undefined
  /** The bytes, of calls that take a file. */
  readonly file?: ReadableStream<Uint8Array>
}
type Part<Given> = [Given] extends [never] ? unknown : Omit<Given, 'organizationId'>

export type BillingResult = {
  readonly status: number
  /** In our spelling; nothing for 204. */
  readonly answer: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** Whether billing is served at all: what is sold belongs to organizations. */
export const isBillingServed = ({ billing, organization }: Config): boolean =>
  billing !== false && organization !== false

/** Refusals that any call may give, whatever its own list says. */
const everywhere: readonly ErrorName[] = [
  'SERVICE_UNAVAILABLE',
  'TOO_MANY_REQUESTS',
  'MALFORMED_REQUEST',
  'ORGANIZATION_WANTS_VERIFIED_EMAIL',
  'INTERNAL_SERVER_ERROR',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_ANSWER_LOST',
]

/**
 * Runs one call of the billing API, in this order: rate limit, origin, body, who asks and for whom, shape, service. The API
 * and `createTollgate().api` both come through here; `origins` is left out for calls of server code.
 */
export async function dispatchBilling<Name extends BillingCallName>(
  ctx: Context,
  name: Name,
  input: BillingInput,
  origins?: Origins,
): Promise<BillingResult & { readonly answer: BillingAnswer<Name> }> {
  const call: BillingCall = billingCalls[name]
  const schemas: Endpoint = billingSchemas[name]
  if (!isBillingServed(ctx.config)) throw new TollgateError('RESOURCE_NOT_FOUND')
  const headers = input.headers instanceof Headers ? input.headers : new Headers(input.headers)
  const caller = createCaller(ctx, headers, input.remoteAddress ?? '', origins === undefined)
  const bearer = bearerOf(headers)
  if (origins) {
    await ctx.limits.request(`/v1${call.path}`, caller.ipAddress)
    // A token is sent by nobody's browser of its own accord; cookies are, and they count where no token does.
    const isByToken = bearer !== undefined && isForSellers(call)
    // Of whoever knows where a file is to be sent nothing else is asked.
    if (call.method !== 'GET' && !isByToken && !call.takesFile) assertOrigin(origins, headers)
  }
  const body = input.readBody ? fromWire(await input.readBody()) : input.body
  const query = input.query ?? {}

  const named = organizationNamed(call, input.params, query, body)
  const { seller, current } = await sellerFor(ctx, name, { bearer, caller, named })
  if (seller) assertOwnOrganization(seller, 'body', body)
  // What only reads may ask for others' objects: it finds none.
  if (seller && call.method !== 'GET') assertOwnOrganization(seller, 'query', query)
  const run = async (context: Context): Promise<BillingResult> => {
    const parsed = {
      body: parse(schemas.body, body ?? {}, 'body'),
      query: parse(schemas.query, query, 'query'),
      params: parse(schemas.params, input.params ?? {}, 'path'),
    }
    const status = call.status ?? 200
    const isForeign = seller !== undefined && isOfOthers(seller, parsed.query)
    if (isForeign && call.givesFile) throw new TollgateError('RESOURCE_NOT_FOUND')
    if (isForeign) return { status, answer: emptyPage, headers: {} }
    const route = billingRoutes[name] as unknown as (given: unknown) => Promise<unknown> // the table pairs each name with its own input
    const given = { ctx: context, caller, seller, current, file: input.file ?? null, ...parsed }
    const answer = await route(given)
    return answer instanceof Reply
      ? { status, answer: answer.answer, headers: answer.headers }
      : { status, answer, headers: {} }
  }
  try {
    const key = call.method === 'POST' && call.auth !== 'none' ? headers.get('idempotency-key') : null
    const result =
      key === null
        ? await run(ctx)
        : await answeredOnce(
            ctx,
            {
              key,
              who: ownerOf(call, { seller, current }, bearer, input.params),
              call: name,
              body,
              input: { ...input, query },
            },
            run,
          )
    return result as BillingResult & { readonly answer: BillingAnswer<Name> } // what the route answers
  } catch (error) {
    throw listed(name, schemas, error)
  }
}

/** Whose idempotency keys they are: a token's, a member's in one organization, or those of whoever knows the secret in the path. */
const ownerOf = (
  call: BillingCall,
  { seller, current }: For,
  bearer: string | undefined,
  params: unknown,
): (string | null)[] =>
  seller
    ? [seller.by, seller.organizationId, seller.by === 'token' ? (bearer ?? null) : seller.userId]
    : current
      ? ['person', current.user.id]
      : [call.auth, JSON.stringify(params ?? null)]

const isForSellers = ({ auth }: BillingCall): boolean => auth === 'seller' || auth === 'user'

const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]

type Asked = { bearer: string | undefined; caller: ReturnType<typeof createCaller>; named: string | undefined }

/** For whom a call acts, and who is signed in; nobody where it needs nobody. */
type For = { readonly seller?: Seller | undefined; readonly current?: SessionRow | undefined }

/**
 * Selling is what is approved. When an approval is withdrawn books stay readable, what is not wanted any more can be taken
 * away, tokens above all, and of the rest this stays: what is owed to those who have bought, and what keeps secrets.
 */
const stayWithoutApproval: ReadonlySet<BillingCallName> = new Set([
  // Buyers find into the portal, get their money back, and their invoices, made out to whom they should be.
  'createCustomerSession',
  'createRefund',
  'decideSandboxDispute',
  'updateOrder',
  'createOrderInvoice',
  // Receivers are switched off, and a secret that somebody else knows is replaced.
  'updateWebhookEndpoint',
  'rotateWebhookSecret',
])

const mayWithoutApproval = (name: BillingCallName, { method, path }: BillingCall): boolean =>
  method === 'GET' || method === 'DELETE' || path.startsWith('/organizations') || stayWithoutApproval.has(name)

async function sellerFor(ctx: Context, name: BillingCallName, { bearer, caller, named }: Asked): Promise<For> {
  const call: BillingCall = billingCalls[name]
  if (!isForSellers(call)) return {}
  const beforeApproval = mayWithoutApproval(name, call)
  const permission = call.path.startsWith('/organization-access-tokens')
    ? { resource: 'token', action: call.method === 'GET' ? 'read' : 'write' }
    : undefined
  const needs: Needs = { scope: call.scope, permission, beforeApproval }
  if (bearer !== undefined) {
    if (call.auth === 'user') throw new TollgateError('UNAUTHORIZED')
    return { seller: await sellerByToken(ctx, bearer, needs) }
  }
  const current = await findCurrentSession(ctx, caller)
  if (current) {
    if (call.own && current.session.impersonatedBy !== null) throw new TollgateError('NOT_ALLOWED_WHILE_IMPERSONATING')
    if (call.ofPerson) return { current }
    const organizationId = named ?? current.session.activeOrganizationId ?? undefined
    return { seller: await sellerBySession(ctx, current, organizationId, needs), current }
  }
  if (caller.isServer) return { seller: await sellerOfServer(ctx, named, needs) }
  throw new TollgateError('UNAUTHORIZED')
}

/**
 * The organization that a request names: in its path where it is about one, in its query, else in its body; looked at before
 * any is checked.
 */
function organizationNamed(call: BillingCall, params: unknown, query: unknown, body: unknown): string | undefined {
  if (call.path === '/organizations/:id') return (params as { id?: string } | undefined)?.id
  for (const place of [query, body]) {
    const named = (place as { organizationId?: unknown } | null | undefined)?.organizationId
    const first: unknown = Array.isArray(named) ? named[0] : named
    if (typeof first === 'string' && first !== '') return first
  }
  return undefined
}

/** What is made or changed is that of the organization that the caller acts for, and no other (contract, "Tenancy"). */
function assertOwnOrganization(seller: Seller, place: 'body' | 'query', given: unknown): void {
  const named = (given as { organizationId?: unknown } | null | undefined)?.organizationId
  if (named === undefined || named === null) return
  if ([named].flat().every((each) => each === seller.organizationId)) return
  const issue = {
    loc: [place, 'organization_id'],
    msg: 'The token is of another organization.',
    type: 'organization_token',
  }
  throw new TollgateError('REQUEST_INVALID', { issues: [issue] })
}

const emptyPage = { items: [], pagination: { totalCount: 0, maxPage: 0, nextCursor: null } }

/** A list of other organizations' objects is empty. */
const isOfOthers = (seller: Seller, query: unknown): boolean => {
  const named = (query as { organizationId?: string[] } | undefined)?.organizationId
  return named !== undefined && !named.includes(seller.organizationId)
}

/** A refusal that the endpoint does not list is a fault of ours: it must not pass for an answer. */
function listed(name: BillingCallName, schemas: Endpoint, error: unknown): unknown {
  if (!(error instanceof TollgateError) || schemas.errors.includes(error.error) || everywhere.includes(error.error))
    return error
  return new Error(`${name} may not answer ${error.error}: it is not in the endpoint's list`, { cause: error })
}

function parse(schema: z.ZodType | undefined, value: unknown, place: InputIssue['loc'][number]): unknown {
  if (!schema) return undefined
  assertNoPrototype(value, place)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = inputIssues(parsed.error.issues).map(({ path, msg, type }) => ({
    loc: [place, ...wirePath(path)],
    msg,
    type,
  }))
  throw new TollgateError('REQUEST_INVALID', { cause: parsed.error, issues })
}

/**
 * No map of a caller's has the key `__proto__`: the schema would leave it out without a word, and with it a filter, or what
 * somebody wanted to keep.
 */
function assertNoPrototype(value: unknown, place: InputIssue['loc'][number]): void {
  if (typeof value !== 'object' || value === null) return
  const names = Object.entries(value).flatMap(([name, member]) =>
    isOpaqueKey(name) && typeof member === 'object' && member !== null && Object.hasOwn(member, '__proto__')
      ? [name]
      : [],
  )
  if (names.length === 0) return
  const issues = names.map((name) => ({
    loc: [place, ...wirePath([name, '__proto__'])],
    msg: 'Input should have no key of this name',
    type: 'value_error',
  }))
  throw new TollgateError('REQUEST_INVALID', { issues })
}
