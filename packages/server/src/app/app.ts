import { billingPath } from '@tollgate/contract/billing'
import type { AnyCall } from '@tollgate/contract/calls'
import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { authApi } from '../features/auth-api.ts'
import { billingApi } from '../features/billing-api.ts'
import { devRoutes } from '../features/dev/dev.routes.ts'
import { features, featuresOn, isFeatureOn } from '../features/features.ts'
import { createSessionAnswers, type SessionAnswers } from '../features/identity/session-answers.ts'
import { createSessionTokens } from '../features/jwt/jwt.service.ts'
import { createPermissionAnswers, type PermissionAnswers } from '../features/organization/permission-answers.ts'
import { monotonic } from '../foundation/clock.ts'
import type { Config } from '../foundation/config/config.ts'
import type { Context } from '../foundation/context.ts'
import { TollgateError } from '../foundation/error.ts'
import { type ClientAddress, createClientAddress } from '../foundation/http/address.ts'
import {
  errorAnswer,
  type HttpAnswer,
  toResponse,
  toTollgateError,
  transportHeaders,
} from '../foundation/http/answer.ts'
import type { AnyApi } from '../foundation/http/api.ts'
import { corsHeaders, preflightAnswer } from '../foundation/http/cors.ts'
import { health } from '../foundation/http/health.ts'
import { createOrigins, originsOf } from '../foundation/http/origin.ts'
import {
  fromFetch,
  type HeaderReader,
  type Incoming,
  pathOf,
  type RequestEnv,
  type RequestOptions,
  type RequestScope,
} from '../foundation/http/request.ts'
import { serveApi } from '../foundation/http/serve-api.ts'
import { newRequestId } from '../foundation/ids.ts'
import { checkoutLinks } from '../pages/checkout-link.ts'
import { secretPages } from '../pages/page-makers.ts'
import { pagePaths, pages, refusedLink } from '../pages/pages.routes.ts'
import { apiReference, referencePaths } from '../pages/reference/reference.routes.ts'
import { createLoggedPath, type SecretPath } from './logged-path.ts'

export type App = {
  /** Answers one request: an API with its own answer, everything else with a `Response`. */
  answer(request: Incoming, options?: RequestOptions): Promise<HttpAnswer | Response>
  /** Whether a request is for one of the APIs. */
  isForApi(method: string, target: string): boolean
  /** The fast path of `get-session`: see `session-answers.ts`. */
  readonly sessionAnswers: SessionAnswers
  /** The fast path of `has-permission`: see `permission-answers.ts`. */
  readonly permissionAnswers: PermissionAnswers
  readonly clientAddress: ClientAddress
}

/** Checked before everything else, and answered while the server stops. */
const healthPath = '/api/health'

/** Paths without a name elsewhere. */
const places = { development: '/dev', checkoutLinks: '/buy' } as const

/** Paths with a secret, which request logs hide. */
export const secretPathsOf = (config: Config): SecretPath[] => [
  ...apis.flatMap((api) =>
    Object.values<AnyCall>(api.calls).map(({ path, secrets = [] }) => ({ path: api.basePath(config) + path, secrets })),
  ),
  ...secretPages,
  { path: '/documents/:id/:file', secrets: ['file'] },
  { path: `${places.checkoutLinks}/:clientSecret`, secrets: ['clientSecret'] },
]

/**
 * Every path that `createApp` serves after the auth API, in any mode and with any feature off: an auth API below one
 * of them would hide it. The health check precedes the auth API.
 */
export const ownPaths: readonly string[] = [
  billingPath,
  ...features.flatMap(({ routes = {} }) => Object.keys(routes)),
  ...Object.values(places),
  ...referencePaths,
  ...pagePaths,
]

/** Every served API. */
export const apis: readonly AnyApi[] = [authApi, billingApi]

/** The table of contents: the served paths, and the steps of every request, in this order. */
export function createApp(ctx: Context): App {
  const { config } = ctx
  const clientAddress = createClientAddress(config, ctx.log)
  const fixedOrigins = createOrigins(config)
  const sessionAnswers = createSessionAnswers(ctx, createSessionTokens(ctx))
  const transport = transportHeaders(config)
  const served = [serveApi(ctx, authApi, { getSession: sessionAnswers.finish }), serveApi(ctx, billingApi)]
  const apiOf = (method: string, path: string) => served.find((each) => each.takes(method, path))
  const loggedPath = createLoggedPath(secretPathsOf(config))

  const routes = new Hono<RequestEnv>()
  routes.route(healthPath, health(ctx))
  for (const { routes: own = {} } of featuresOn(config))
    for (const [path, router] of Object.entries(own)) routes.route(path, router(ctx))
  routes.route('/', apiReference(ctx, apis))
  if (config.mode === 'development') routes.route(places.development, devRoutes(ctx))
  if (isFeatureOn(config, 'billing')) routes.route(places.checkoutLinks, checkoutLinks(ctx))
  routes.route('/', pages(ctx))
  routes.onError((error) => {
    throw error // answered below, in one place
  })

  /** The page of a refused link; it reads the database, whose failure may be the very refusal. */
  async function pageOf(request: Incoming, refusal: TollgateError, id: string): Promise<Response | undefined> {
    try {
      return await refusedLink(ctx, request, refusal)
    } catch (err) {
      ctx.log.error({ err, request: id }, 'Rendering the page of a refused link failed')
      return undefined
    }
  }

  /** Answers a page that reads an API in place of its browser, with the same rights and the same limits. */
  async function readApi(target: string, from: HeaderReader, scope: RequestScope): Promise<Response> {
    const headers = new Headers({ cookie: from.get('cookie') ?? '', 'user-agent': from.get('user-agent') ?? '' })
    const request = fromFetch(new Request(new URL(target, config.baseURL), { headers }))
    const path = decodedPath(request.target)
    const api = apiOf('GET', path)
    if (!api) throw new Error(`No API answers ${path}`)
    try {
      return toResponse(await api.answer(request, path, scope))
    } catch (cause) {
      const error = toTollgateError(cause, ctx.log, { request: scope.id, method: 'GET', path: loggedPath(target) })
      return toResponse((api.api.refuse ?? errorAnswer)(error))
    }
  }

  async function answer(request: Incoming, options: RequestOptions = {}): Promise<HttpAnswer | Response> {
    const id = newRequestId()
    const startedAt = monotonic()
    const { method, headers } = request
    const path = decodedPath(request.target)
    const isHealth = path.startsWith(`${healthPath}/`)
    const api = isHealth ? undefined : apiOf(method, path)
    let origins = fixedOrigins
    let answered: HttpAnswer | Response
    try {
      if (!isHealth) assertOpen(ctx)
      if (config.trustedOriginsOf) origins = await originsOf(config, fixedOrigins, request.asRequest())
      const remoteAddress = clientAddress(headers, options.remoteAddress)
      const scope = {
        id,
        remoteAddress,
        origins,
        host: options.host,
        read: (target: string) => readApi(target, headers, { id, remoteAddress, origins }),
      }
      if (method === 'OPTIONS') answered = preflightAnswer(origins, headers)
      else if (api) answered = await api.answer(request, path, scope)
      else answered = await routes.fetch(request.asRequest(), scope)
    } catch (cause) {
      const error = toTollgateError(cause, ctx.log, { request: id, method, path: loggedPath(request.target) })
      // A page answers a mailed link that a person followed; every other call answers as in the contract.
      const isForPeople = api === undefined || api.api.hasLinks
      const page = isForPeople ? await pageOf(request, error, id) : undefined
      answered = page ?? (api?.api.refuse ?? errorAnswer)(error)
    }
    answered = withHeaders(answered, { 'x-request-id': id, ...transport, ...corsHeaders(origins, headers) })
    ctx.log.info(
      {
        request: id,
        method,
        path: loggedPath(request.target),
        status: answered.status,
        ms: Math.round(monotonic() - startedAt),
      },
      'Request',
    )
    return answered
  }
  return {
    answer,
    isForApi: (method, target) => apiOf(method, decodedPath(target)) !== undefined,
    sessionAnswers,
    permissionAnswers: createPermissionAnswers(ctx),
    clientAddress,
  }
}

/** Refuses requests after the close, which waits for running ones: a later one would lose the database midway. */
export function assertOpen({ lifecycle }: Context): void {
  if (lifecycle.state === 'closed') throw new TollgateError('SERVICE_UNAVAILABLE', { retryAfter: 5 })
}

/** The intended path of a target: without unnecessary escapes. */
const decodedPath = (target: string): string =>
  target.includes('%') ? getPath(new Request(`http://localhost${target}`)) : pathOf(target)

/** Answers of some handlers have immutable headers; those are copied. An answer varies by its own headers and by those. */
function withHeaders(answer: HttpAnswer | Response, further: Record<string, string>): HttpAnswer | Response {
  const own = answer instanceof Response ? answer.headers.get('vary') : answer.headers.vary
  const headers = own && further.vary ? { ...further, vary: `${own}, ${further.vary}` } : further
  if (!(answer instanceof Response)) return { ...answer, headers: { ...answer.headers, ...headers } }
  try {
    for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value)
    return answer
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const copy = new Response(answer.body, answer)
    for (const [name, value] of Object.entries(headers)) copy.headers.set(name, value)
    return copy
  }
}
