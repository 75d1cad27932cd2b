import { type AuthCallName, authCalls, type Call, type ErrorName } from '@tollgate/contract/calls'
import { authSchemas, type Endpoint } from '@tollgate/contract/schemas'
import type { Answer, Body, Query } from '@tollgate/contract/types'
import type { z } from 'zod'
import { adminOrganizationRoutes, adminRoutes } from '../admin/admin.routes.ts'
import { assertCaptcha } from '../captcha/captcha.service.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import { identityRoutes } from '../identity/identity.routes.ts'
import { findCurrentSession } from '../identity/session.service.ts'
import { jwtRoutes } from '../jwt/jwt.routes.ts'
import { magicLinkRoutes } from '../magic-link/magic-link.routes.ts'
import { invitationRoutes } from '../organization/invitation.routes.ts'
import { joiningRoutes } from '../organization/joining.routes.ts'
import { memberRoutes } from '../organization/member.routes.ts'
import { organizationRoutes } from '../organization/organization.routes.ts'
import { teamRoutes } from '../organization/team.routes.ts'
import { socialRoutes } from '../social/social.routes.ts'
import { usernameRoutes } from '../username/username.routes.ts'
import { createCaller } from './caller.ts'
import { assertOrigin, assertTargets, type Origins } from './origin.ts'
import { Redirect, type RouteInput } from './route.ts'

/** The routes of every feature. */
export const authRoutes = {
  ...identityRoutes,
  ...socialRoutes,
  ...usernameRoutes,
  ...magicLinkRoutes,
  ...jwtRoutes,
  ...organizationRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...teamRoutes,
  ...joiningRoutes,
  ...adminRoutes,
}

/** Features that can be switched off: whether each is on, and its routes. */
const optionalFeatures: readonly { isOn: (config: Config) => boolean; routes: object }[] = [
  { isOn: ({ username }) => username !== false, routes: usernameRoutes },
  { isOn: ({ magicLink }) => magicLink !== false, routes: magicLinkRoutes },
  { isOn: ({ jwt }) => jwt !== false, routes: jwtRoutes },
  {
    isOn: ({ organization }) => organization !== false,
    routes: {
      ...organizationRoutes,
      ...memberRoutes,
      ...invitationRoutes,
      ...joiningRoutes,
      ...adminOrganizationRoutes,
    },
  },
  { isOn: ({ organization }) => organization !== false && organization.teams.enabled, routes: teamRoutes },
]

/** Whether a call is served: those of a feature that is switched off are as if they were not there. */
export const isServed = (config: Config, name: RoutedCall): boolean =>
  optionalFeatures.every(({ isOn, routes }) => isOn(config) || !Object.hasOwn(routes, name))

/** Calls that have a route; the error page is a page. */
export type RoutedCall = keyof typeof authRoutes & AuthCallName

export type CallInput<Name extends AuthCallName> = {
  readonly body?: Body<Name> | undefined
  readonly query?: Query<Name> | undefined
  readonly params?: unknown
  readonly headers?: Headers | Record<string, string> | undefined
  readonly remoteAddress?: string | undefined
}

/** Reads the body, in place of `body`: not before the request has been counted, and found to come from where it may. */
type Unread = { readonly readBody?: (() => Promise<unknown>) | undefined }

export type Dispatched<Name extends AuthCallName> = {
  readonly answer: Answer<Name> | undefined
  /** Set when the call sends the browser elsewhere. */
  readonly redirect: string | undefined
  /** The status of the redirect. */
  readonly redirectStatus: 302 | 303
  /** Complete Set-Cookie values. */
  readonly cookies: string[]
}

/** Refusals that any call may give, whatever its own list says. */
const everywhere: readonly ErrorName[] = [
  'SERVICE_UNAVAILABLE',
  'TOO_MANY_REQUESTS',
  'MALFORMED_REQUEST',
  'INTERNAL_SERVER_ERROR',
]

/**
 * Runs one call as the JSON API does, in this order: rate limit, origin, body, shape, redirect targets, captcha, session,
 * service.
 * The API, the hosted pages' forms and `createTollgate().api` all come through here. `origins` is left out for calls of
 * server code, which have no origin.
 */
export async function dispatch<Name extends RoutedCall>(
  ctx: Context,
  name: Name,
  input: CallInput<Name> & Unread,
  origins?: Origins,
): Promise<Dispatched<Name>> {
  const call: Call = authCalls[name]
  const schemas: Endpoint = authSchemas[name]
  if (!isServed(ctx.config, name)) throw new TollgateError('NOT_FOUND')
  const headers = input.headers instanceof Headers ? input.headers : new Headers(input.headers)
  const caller = createCaller(ctx, headers, input.remoteAddress ?? '', origins === undefined)

  if (origins) {
    if (!isUnlimited(name)) await ctx.limits.request(call.path, caller.ipAddress)
    if (call.method === 'POST' && !call.takesForm) assertOrigin(origins, headers)
  }
  const given = input.readBody ? await input.readBody() : input.body
  const body = parse(schemas.body, given ?? {}, 'VALIDATION_ERROR')
  const query = parse(schemas.query, input.query ?? {}, 'INVALID_QUERY')
  const params = parse(schemas.params, input.params ?? {}, 'NOT_FOUND')
  if (origins) {
    assertTargets(origins, body)
    assertTargets(origins, query)
    await assertCaptcha(ctx, caller, call)
  }
  let session: SessionRow | undefined
  if (call.auth === 'session') {
    session = await findCurrentSession(ctx, caller)
    // Which calls server code may make without one, the contract says; never the request.
    if (!session && !(call.serverNamesUser && caller.isServer)) throw new TollgateError('UNAUTHORIZED')
  }
  if (call.own) {
    const signedIn = session ?? (await findCurrentSession(ctx, caller))
    if (signedIn?.session.impersonatedBy != null) throw new TollgateError('NOT_ALLOWED_WHILE_IMPERSONATING')
  }

  const route = authRoutes[name] as unknown as (given: unknown) => Promise<Answer<Name> | Redirect> // the table pairs each name with its own input
  try {
    const result = await route({ ctx, caller, body, query, params, session } satisfies Record<
      keyof RouteInput<Name>,
      unknown
    >)
    const redirect = result instanceof Redirect ? result : undefined
    return {
      answer: result instanceof Redirect ? undefined : result,
      redirect: redirect?.location,
      redirectStatus: redirect?.status ?? 302,
      cookies: caller.cookies.outgoing(),
    }
  } catch (error) {
    throw listed(name, schemas, error)
  }
}

/** Read on every page view; bounded by what reading costs, not by a counter (interface, section 3). */
export const isUnlimited = (name: AuthCallName): boolean => name === 'getSession'

/** A refusal that the endpoint does not list is a fault of ours: it must not pass for an answer. */
function listed(name: AuthCallName, schemas: Endpoint, error: unknown): unknown {
  if (!(error instanceof TollgateError) || schemas.errors.includes(error.error) || everywhere.includes(error.error))
    return error
  return new Error(`${name} may not answer ${error.error}: it is not in the endpoint's list`, { cause: error })
}

function parse(schema: z.ZodType | undefined, value: unknown, error: ErrorName): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new TollgateError(error, { cause: parsed.error })
  return parsed.data
}
