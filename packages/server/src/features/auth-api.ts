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
import * as adminAudit from './admin/audit.service.ts'
import * as adminBan from './admin/ban.service.ts'
import * as adminDispute from './admin/dispute.service.ts'
import * as adminImpersonation from './admin/impersonation.service.ts'
import * as adminJob from './admin/job.service.ts'
import * as adminOrganization from './admin/organization.service.ts'
import * as adminPermission from './admin/permission.service.ts'
import * as adminSession from './admin/session.service.ts'
import * as adminUser from './admin/user.service.ts'
import * as adminUserList from './admin/user-list.service.ts'
import { assertCaptcha } from './captcha/captcha.service.ts'
import type { AuthHandlers } from './identity/auth-handler.ts'
import { authenticateBySession } from './identity/authenticate.ts'
import * as emailVerification from './identity/email-verification.service.ts'
import * as password from './identity/password.service.ts'
import * as session from './identity/session.service.ts'
import * as signIn from './identity/sign-in.service.ts'
import * as signUp from './identity/sign-up.service.ts'
import * as user from './identity/user.service.ts'
import * as jwt from './jwt/jwt.service.ts'
import * as magicLink from './magic-link/magic-link.service.ts'
import * as audit from './organization/audit.service.ts'
import * as creation from './organization/creation.service.ts'
import * as domain from './organization/domain.service.ts'
import * as invitation from './organization/invitation.service.ts'
import * as invitationLink from './organization/invitation-link.service.ts'
import * as invite from './organization/invite.service.ts'
import * as joinByDomain from './organization/join-by-domain.service.ts'
import * as joinRequest from './organization/join-request.service.ts'
import * as member from './organization/member.service.ts'
import * as organizations from './organization/organization.service.ts'
import * as organizationView from './organization/organization-view.service.ts'
import * as overview from './organization/overview.service.ts'
import * as permission from './organization/permission.service.ts'
import * as role from './organization/role.service.ts'
import * as team from './organization/team.service.ts'
import * as teamMember from './organization/team-member.service.ts'
import * as transfer from './organization/transfer.service.ts'
import * as accounts from './social/accounts.service.ts'
import * as callback from './social/callback.service.ts'
import * as social from './social/social.service.ts'
import * as username from './username/username.service.ts'

/** The services by call: each exports its calls' handlers under their names. */
const services: AuthHandlers = {
  ok: async () => ({ ok: true }),
  // The older name of `requestPasswordReset`.
  forgetPassword: password.requestPasswordReset,
  ...emailVerification,
  ...password,
  ...session,
  ...signIn,
  ...signUp,
  ...user,
  ...accounts,
  ...callback,
  ...social,
  ...username,
  ...magicLink,
  ...jwt,
  ...organizations,
  ...creation,
  ...organizationView,
  ...overview,
  ...transfer,
  ...audit,
  ...member,
  ...permission,
  ...role,
  ...invitation,
  ...invite,
  ...team,
  ...teamMember,
  ...invitationLink,
  ...joinByDomain,
  ...joinRequest,
  ...domain,
  ...adminAudit,
  ...adminBan,
  ...adminDispute,
  ...adminImpersonation,
  ...adminJob,
  ...adminOrganization,
  ...adminPermission,
  ...adminSession,
  ...adminUser,
  ...adminUserList,
}

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
  handlers: services,
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
