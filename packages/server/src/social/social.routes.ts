import type { socialCalls } from '@tollgate/contract/calls'
import { TollgateError } from '../error.ts'
import type { Routes } from '../http/route.ts'

const notYet = () => {
  throw new TollgateError('NOT_FOUND')
}

export const socialRoutes: Routes<typeof socialCalls> = {
  signInSocial: notYet,
  signInOAuth2: notYet,
  oauthCallback: notYet,
  oauthCallbackForm: notYet,
  listAccounts: notYet,
  accountInfo: notYet,
  linkSocial: notYet,
  unlinkAccount: notYet,
  getAccessToken: notYet,
  refreshToken: notYet,
}
