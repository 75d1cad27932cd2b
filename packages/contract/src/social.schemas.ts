import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { callbackErrors, requestErrors, storable, text, timestamp, url } from './fields.ts'
import { user } from './identity.schemas.ts'
import { genericProviderPattern, socialProviders } from './providers.ts'
import type { socialCalls } from './social.calls.ts'

/** A provider of the specification's list, or one of the configuration's own. */
const provider = z.enum(socialProviders).or(z.string().regex(genericProviderPattern))
const scopes = z.array(storable(256)).max(50).optional()
/** A provider's token: opaque, and sometimes long. */
const providerToken = storable(16_384)
const idToken = z.object({
  token: providerToken,
  nonce: storable(512).optional(),
  accessToken: providerToken.optional(),
  refreshToken: providerToken.optional(),
  expiresAt: z.number().optional().describe('When the access token expires: seconds or milliseconds since 1970.'),
})

const signIn = {
  callbackURL: url.optional(),
  newUserCallbackURL: url.optional(),
  errorCallbackURL: url.optional(),
  disableRedirect: z.boolean().optional(),
  scopes,
  requestSignUp: z.boolean().optional(),
  loginHint: text.optional(),
}

const redirectAnswer = z.object({ url: z.string(), redirect: z.boolean() })
const tokenAnswer = z.object({ redirect: z.literal(false), token: z.string(), user })

const refusals = [
  ...requestErrors,
  ...callbackErrors,
  'PROVIDER_NOT_FOUND',
  'UNABLE_TO_CREATE_VERIFICATION',
  'SERVICE_UNAVAILABLE',
] as const

/** Identifies a user's account: by provider, by the provider's id for it, or by the row's id. */
const whichAccount = {
  providerId: storable(64).optional(),
  accountId: storable(512).optional(),
  userId: storable(64).optional().describe('For server code only.'),
}
const accountErrors = [
  ...requestErrors,
  'UNAUTHORIZED',
  'EITHER_USER_ID_OR_SESSION_REQUIRED',
  'NOT_ALLOWED_WHILE_IMPERSONATING',
  'ACCOUNT_NOT_FOUND',
  'PROVIDER_NOT_SUPPORTED',
  'TOKEN_REFRESH_NOT_SUPPORTED',
  'FAILED_TO_GET_ACCESS_TOKEN',
  'FAILED_TO_REFRESH_ACCESS_TOKEN',
] as const

export const account = z.object({
  id: z.string(),
  provider: z.string(),
  providerId: z.string(),
  accountId: z.string(),
  userId: z.string(),
  scopes: z.array(z.string()),
  createdAt: timestamp,
  updatedAt: timestamp,
})

const callbackParams = z.object({ id: storable(64) })
/**
 * The parameters of a provider's redirect; others are dropped. The service parses them and answers every fault with a
 * redirect.
 */
const whatItSends = z.object({
  code: z.unknown().optional(),
  state: z.unknown().optional(),
  error: z.unknown().optional(),
  error_description: z.unknown().optional(),
  user: z.unknown().optional(),
  device_id: z.unknown().optional(),
  iss: z.unknown().optional(),
})
const callbackRefusals = ['TOO_MANY_REQUESTS', 'NOT_FOUND'] as const

/** Bodies, queries, answers and refusals of the provider calls (specification, sections 5, 7 and 8). */
export const socialSchemas = {
  signInSocial: {
    summary: 'Starts a sign-in with a provider, or signs in with an id token that a provider issued to an app.',
    body: z.object({ provider, idToken: idToken.optional(), ...signIn }),
    output: z.union([tokenAnswer, redirectAnswer]),
    errors: [
      ...refusals,
      'ID_TOKEN_NOT_SUPPORTED',
      'ID_TOKEN_INVALID',
      'FAILED_TO_GET_USER_INFO',
      'USER_EMAIL_NOT_FOUND',
      'ACCOUNT_NOT_LINKED',
      'SOCIAL_SIGN_UP_DISABLED',
      'BANNED_USER',
      'FAILED_TO_CREATE_SESSION',
    ],
  },
  signInOAuth2: {
    summary: 'Starts a sign-in with a custom provider of the configuration.',
    body: z.object({ providerId: provider, ...signIn }),
    output: redirectAnswer,
    errors: refusals,
  },
  oauthCallback: {
    summary: 'Receives the browser from a provider. Always answers with a redirect.',
    params: callbackParams,
    query: whatItSends,
    errors: callbackRefusals,
  },
  oauthCallbackForm: {
    summary: 'Receives a provider’s form post, and redirects to the same address by GET.',
    params: callbackParams,
    body: whatItSends,
    errors: [...callbackRefusals, 'BODY_TOO_LARGE'],
  },

  listAccounts: {
    summary: 'Lists the sign-in methods of the signed-in user, the password included.',
    output: z.array(account),
    errors: ['UNAUTHORIZED'],
  },
  accountInfo: {
    summary: 'Reads the profile of a linked account from its provider.',
    query: z.object({ accountId: storable(512) }),
    output: z.object({
      user: z.object({
        id: z.string(),
        name: z.string().nullable(),
        email: z.string().nullable(),
        image: z.string().nullable(),
        emailVerified: z.boolean(),
      }),
      data: z.record(z.string(), z.unknown()),
      account,
    }),
    errors: [...accountErrors, 'INVALID_QUERY', 'FAILED_TO_GET_USER_INFO'],
  },
  linkSocial: {
    summary: 'Starts linking a provider account to the signed-in user.',
    body: z.object({
      provider,
      callbackURL: url.optional(),
      errorCallbackURL: url.optional(),
      scopes,
      disableRedirect: z.boolean().optional(),
      requireFreshSession: z
        .boolean()
        .optional()
        .describe('Refuses an old session, even where the configuration does not ask for a fresh one.'),
    }),
    output: redirectAnswer,
    errors: [
      ...refusals,
      'UNAUTHORIZED',
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'LINKING_NOT_ALLOWED',
      'SESSION_IS_NOT_FRESH',
    ],
  },
  unlinkAccount: {
    summary: 'Unlinks an account; needs a fresh session, and keeps the last one.',
    body: z.object({ providerId: storable(64).optional(), accountId: storable(512).optional() }),
    output: z.object({ status: z.literal(true) }),
    errors: [
      ...requestErrors,
      'UNAUTHORIZED',
      'NOT_ALLOWED_WHILE_IMPERSONATING',
      'SESSION_IS_NOT_FRESH',
      'ACCOUNT_NOT_FOUND',
      'CANNOT_UNLINK_LAST_ACCOUNT',
    ],
  },
  getAccessToken: {
    summary: 'Returns a valid access token of a linked account, refreshed if it is about to expire.',
    body: z.object(whichAccount),
    output: z.object({
      accessToken: z.string(),
      accessTokenExpiresAt: timestamp.nullable(),
      scopes: z.array(z.string()),
      idToken: z.string().optional(),
    }),
    errors: accountErrors,
  },
  refreshToken: {
    summary: 'Refreshes the tokens of a linked account.',
    body: z.object(whichAccount),
    output: z.object({
      accessToken: z.string(),
      refreshToken: z.string(),
      tokenType: z.string(),
      scopes: z.array(z.string()),
      scope: z.string(),
      accessTokenExpiresAt: timestamp.nullable(),
      refreshTokenExpiresAt: timestamp.nullable(),
      idToken: z.string().optional(),
      providerId: z.string(),
      accountId: z.string(),
    }),
    errors: accountErrors,
  },
} as const satisfies Record<keyof typeof socialCalls, Endpoint>
