import { type AuthCallName, authCalls, type Call, type Feature } from '@tollgate/contract/calls'
import { authSchemas } from '@tollgate/contract/schemas'
import type { Body, Query } from '@tollgate/contract/types'
import type { Config } from '../foundation/config/config.ts'
import type { SessionRow } from '../foundation/db/session-row.ts'
import { apiHeaders, errorAnswer } from '../foundation/http/answer.ts'
import type { Api, CallInput } from '../foundation/http/api.ts'
import { cookieNames } from '../foundation/http/cookies.ts'
import { refusing } from '../foundation/http/input.ts'
import { camelCase } from '../foundation/http/spelling.ts'
import { adminRoutes } from './admin/admin.routes.ts'
import { assertCaptcha } from './captcha/captcha.service.ts'
import { authenticateBySession } from './identity/authenticate.ts'
import { identityRoutes } from './identity/identity.routes.ts'
import { jwtRoutes } from './jwt/jwt.routes.ts'
import { magicLinkRoutes } from './magic-link/magic-link.routes.ts'
import { invitationRoutes } from './organization/invitation.routes.ts'
import { joiningRoutes } from './organization/joining.routes.ts'
import { memberRoutes } from './organization/member.routes.ts'
import { organizationRoutes } from './organization/organization.routes.ts'
import { teamRoutes } from './organization/team.routes.ts'
import { socialRoutes } from './social/social.routes.ts'
import { usernameRoutes } from './username/username.routes.ts'

const routes = {
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

/** Calls of the auth API that `createTollgate().api` offers: all but those that a page answers. */
export type RoutedCall = keyof typeof routes & AuthCallName

/** The input of a call by server code and pages. */
export type AuthInput<Name extends AuthCallName> = Pick<CallInput, 'params' | 'headers' | 'remoteAddress'> & {
  readonly body?: Body<Name> | undefined
  readonly query?: Query<Name> | undefined
}

/** Whether the configuration enables a feature. */
const isOn: Readonly<Record<Feature, (config: Config) => boolean>> = {
  username: ({ username }) => username !== false,
  magicLink: ({ magicLink }) => magicLink !== false,
  jwt: ({ jwt }) => jwt !== false,
  organization: ({ organization }) => organization !== false,
  teams: ({ organization }) => organization !== false && organization.teams.enabled,
}

/** The auth API: accounts, sessions and organizations. */
export const authApi: Api<Call, { session: SessionRow | undefined }, typeof authSchemas> = {
  name: 'auth',
  basePath: ({ basePath }) => basePath,
  calls: authCalls,
  schemas: authSchemas,
  routes,
  isServed: (config, { feature }) => feature === undefined || isOn[feature](config),
  unknown: 'NOT_FOUND',
  // The answer that existing clients expect (auth contract, section 1).
  unknownAnswer: { status: 404, headers: apiHeaders },
  countedBelow: '',
  spelling: camelCase,
  inputFirst: true,
  parse: refusing({ body: 'VALIDATION_ERROR', query: 'INVALID_QUERY', params: 'NOT_FOUND' }),
  authenticate: async (ctx, { call, caller }) => {
    if (!caller.isServer) await assertCaptcha(ctx, caller, call)
    return authenticateBySession(ctx, { call, caller })
  },
  refuse: errorAnswer,
  hasLinks: true,
  description: {
    about: 'Accounts, sessions, organizations and everything around them.',
    shapes: {},
    tag: ({ path }) =>
      path.startsWith('/organization')
        ? 'Organizations and members'
        : path.startsWith('/admin')
          ? 'Administration'
          : 'Accounts',
    security: ({ auth }) => (auth === 'session' ? [{ session: [] }] : undefined),
    securitySchemes: (config) => ({
      session: { type: 'apiKey', in: 'cookie', name: cookieNames(config).sessionToken },
    }),
    refusalShapes: {
      Error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'string' }, message: { type: 'string' } },
      },
    },
    refusalShape: () => 'Error',
    refusalCode: (code) => code,
  },
}
