import { billingPath } from '@tollgate/contract/billing'
import { Hono } from 'hono'
import { pictures } from './billing/catalog/file-picture.ts'
import { avatarAnswer, avatarPath } from './billing/customer/avatar.ts'
import { documents } from './billing/documents/document-answer.ts'
import { monotonic } from './clock.ts'
import type { Context } from './context.ts'
import { devRoutes } from './dev/dev.routes.ts'
import { TollgateError } from './error.ts'
import { type ClientAddress, createClientAddress } from './http/address.ts'
import { errorAnswer, toTollgateError, transportHeaders } from './http/answer.ts'
import { authApi } from './http/api.ts'
import { billingApi, isBillingPath } from './http/billing-api.ts'
import { isBillingServed } from './http/billing-dispatch.ts'
import { billingErrorAnswer } from './http/billing-errors.ts'
import { corsHeaders, preflightAnswer } from './http/cors.ts'
import { apiDocs, docsPaths } from './http/docs.ts'
import { health } from './http/health.ts'
import { createOrigins, originsOf } from './http/origin.ts'
import { createPermissionAnswers, type PermissionAnswers } from './http/permission-answers.ts'
import type { RequestEnv, RequestOptions } from './http/request.ts'
import { createSessionAnswers, type SessionAnswers } from './http/session-answers.ts'
import { newRequestId } from './ids.ts'
import { checkoutLinks } from './pages/checkout-link.ts'
import { errorPage, pagePaths, pages, refusedLink } from './pages/pages.routes.ts'

export type App = {
  /** Answers one request. */
  handle(request: Request, options?: RequestOptions): Promise<Response>
  /** The fast path of `get-session`: see `session-answers.ts`. */
  readonly sessionAnswers: SessionAnswers
  /** The fast path of `has-permission`: see `permission-answers.ts`. */
  readonly permissionAnswers: PermissionAnswers
  readonly clientAddress: ClientAddress
}

/** What has no name of its own elsewhere. */
const places = { files: '/files', documents: '/documents', development: '/dev', checkoutLinks: '/buy' } as const

/**
 * Every path that `createApp` serves after the auth API, in whatever mode and with whatever switched off: where the auth
 * API began like one of them, it would hide it. The health of the server is asked for before it.
 */
export const ownPaths: readonly string[] = [
  billingPath,
  avatarPath,
  ...Object.values(places),
  ...docsPaths,
  ...pagePaths,
]

/** The table of contents: what is served where, and what every request passes through, in this order. */
export function createApp(ctx: Context): App {
  const { basePath } = ctx.config
  const clientAddress = createClientAddress(ctx.config, ctx.log)
  const fixedOrigins = createOrigins(ctx.config)
  const sessionAnswers = createSessionAnswers(ctx)
  const transport = transportHeaders(ctx.config)

  const routes = new Hono<RequestEnv>()
  routes.route('/api/health', health(ctx))
  routes.get(`${basePath}/error`, (c) => errorPage(ctx, c.req.raw, c.env))
  routes.route(basePath, authApi(ctx, sessionAnswers))
  // Where billing is off each call is refused as one that there is not, in the clients' own form.
  routes.route(billingPath, billingApi(ctx))
  if (isBillingServed(ctx.config)) {
    routes.route(places.files, pictures(ctx))
    routes.route(places.documents, documents(ctx))
    routes.get(`${avatarPath}/:name{[0-9a-f]{64}\\.svg}`, (c) => avatarAnswer(c.req.param('name')))
  }
  routes.route('/', apiDocs(ctx))
  if (ctx.config.mode === 'development') routes.route(places.development, devRoutes(ctx))
  if (isBillingServed(ctx.config)) routes.route(places.checkoutLinks, checkoutLinks(ctx))
  routes.route('/', pages(ctx))
  routes.onError((error) => {
    throw error // answered below, in one place
  })

  async function handle(request: Request, options: RequestOptions = {}): Promise<Response> {
    const id = newRequestId()
    const startedAt = monotonic()
    const path = pathOf(request)
    const remoteAddress = clientAddress(request.headers, options.remoteAddress)
    let origins = fixedOrigins
    let response: Response
    try {
      if (!path.startsWith('/api/health/')) assertOpen(ctx)
      origins = await originsOf(ctx.config, fixedOrigins, request)
      response =
        request.method === 'OPTIONS'
          ? preflightAnswer(origins, request.headers)
          : await routes.fetch(request, { id, remoteAddress, origins, host: options.host })
    } catch (cause) {
      const error = toTollgateError(cause, ctx.log, { request: id, method: request.method, path })
      // A mailed link that a person followed is answered by a page; every other call as the contract says.
      response = isBillingPath(path)
        ? billingErrorAnswer(error)
        : ((await refusedLink(ctx, request, error)) ?? errorAnswer(error))
    }
    const headers = { 'x-request-id': id, ...transport, ...corsHeaders(origins, request.headers) }
    response = withHeaders(response, headers)
    ctx.log.info(
      { request: id, method: request.method, path, status: response.status, ms: Math.round(monotonic() - startedAt) },
      'request',
    )
    return response
  }
  return { handle, sessionAnswers, permissionAnswers: createPermissionAnswers(ctx), clientAddress }
}

/** Refuses what begins after the close: those under way are waited for, one more would find the database gone half-way. */
export function assertOpen({ lifecycle }: Context): void {
  if (lifecycle.state === 'closed') throw new TollgateError('SERVICE_UNAVAILABLE', { retryAfter: 5 })
}

/** Without the query, which may hold a token, and without what is one in the path. */
function pathOf(request: Request): string {
  const [, path = ''] = /^[^:]*:\/\/[^/?#]*([^?#]*)/.exec(request.url) ?? []
  return path.replace(
    /(\/reset-password\/|^\/join\/|^\/checkout\/|^\/v1\/checkouts\/client\/|^\/v1\/sandbox\/actions\/|^\/v1\/files\/parts\/|^\/documents\/[^/]+\/)[^/]+/,
    '$1[redacted]',
  )
}

/** Answers of some handlers have headers that cannot be changed; those are copied. */
function withHeaders(response: Response, headers: Record<string, string>): Response {
  try {
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return response
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const copy = new Response(response.body, response)
    for (const [name, value] of Object.entries(headers)) copy.headers.set(name, value)
    return copy
  }
}
