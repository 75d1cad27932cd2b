import { type AuthCallName, authCalls, type Call, type CallGroup } from '@tollgate/contract/calls'
import { authSchemas } from '@tollgate/contract/schemas'
import type { Body, Query } from '@tollgate/contract/types'
import type { SessionRow } from '../foundation/db/session-row.ts'
import { apiHeaders, errorAnswer } from '../foundation/http/answer.ts'
import type { Api, CallInput } from '../foundation/http/api.ts'
import { cookieNames } from '../foundation/http/cookies.ts'
import { refusing } from '../foundation/http/input.ts'
import { camelCase } from '../foundation/http/spelling.ts'
import { authServices } from './auth-services.generated.ts'
import { assertCaptcha } from './captcha/captcha.service.ts'
import { isFeatureOn } from './features.ts'
import type { AuthHandlers } from './identity/auth-handler.ts'
import { authenticateBySession } from './identity/authenticate.ts'

/** Each call's handler, under the call's name. */
const handlers: AuthHandlers = {
  ...authServices,
  ok: async () => ({ ok: true }),
  // The older name of the call.
  forgetPassword: authServices.requestPasswordReset,
}

/** The input of a call by server code and pages. */
export type AuthInput<Name extends AuthCallName> = Pick<CallInput, 'file' | 'params' | 'headers' | 'remoteAddress'> & {
  readonly body?: Body<Name> | undefined
  readonly query?: Query<Name> | undefined
}

/** The groups of calls, as the API description shows them. */
const groupNames: Readonly<Record<CallGroup, string>> = {
  account: 'Accounts',
  organization: 'Organizations and members',
  administration: 'Administration',
}

/** The auth API: accounts, sessions and organizations. */
export const authApi: Api<Call, { session: SessionRow | undefined }, typeof authSchemas> = {
  name: 'auth',
  basePath: ({ basePath }) => basePath,
  calls: authCalls,
  schemas: authSchemas,
  handlers,
  isServed: (config, { feature }) => feature === undefined || isFeatureOn(config, feature),
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
    about: 'Accounts, sessions and organizations.',
    shapes: {},
    tag: ({ group = 'account' }) => groupNames[group],
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
