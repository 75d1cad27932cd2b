import type { socialCalls } from '@tollgate/contract/calls'
import type { AuthRoutes } from '../identity/auth-routes.ts'
import { accountInfo, getAccessToken, listAccounts, refreshToken, unlinkAccount } from './accounts.service.ts'
import { finishFlow, forwardCallback } from './callback.service.ts'
import { linkSocial, signInOAuth2, signInSocial } from './social.service.ts'

/** Sign-in by providers and linked accounts. */
export const socialRoutes: AuthRoutes<typeof socialCalls> = {
  signInSocial: ({ ctx, caller, body }) => signInSocial(ctx, caller, body),
  signInOAuth2: ({ ctx, caller, body }) => signInOAuth2(ctx, caller, body),
  oauthCallback: ({ ctx, caller, params, query }) => finishFlow(ctx, caller, params.id, query),
  oauthCallbackForm: ({ ctx, params, body }) => forwardCallback(ctx, params.id, body),

  listAccounts: ({ ctx, session }) => listAccounts(ctx, session.user.id),
  accountInfo: ({ ctx, caller, session, query }) => accountInfo(ctx, caller, session, query.accountId),
  linkSocial: ({ ctx, caller, session, body }) => linkSocial(ctx, caller, session, body),
  unlinkAccount: ({ ctx, session, body }) => unlinkAccount(ctx, session, body),
  getAccessToken: ({ ctx, caller, body }) => getAccessToken(ctx, caller, body),
  refreshToken: ({ ctx, caller, body }) => refreshToken(ctx, caller, body),
}
