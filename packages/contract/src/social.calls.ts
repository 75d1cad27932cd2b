import type { Call } from './call.ts'

/** Sign-in by providers and linked accounts (specification, section 7: "Linked accounts"). */
export const socialCalls = {
  signInSocial: { method: 'POST', path: '/sign-in/social', auth: 'none', refreshes: ['session'], limit: 'guess' },
  signInOAuth2: { method: 'POST', path: '/sign-in/oauth2', auth: 'none', refreshes: ['session'], limit: 'guess' },
  oauthCallback: { method: 'GET', path: '/callback/:id', auth: 'none', acts: true, navigates: true },
  oauthCallbackForm: { method: 'POST', path: '/callback/:id', auth: 'none', navigates: true, takesForm: true },

  listAccounts: { method: 'GET', path: '/list-accounts', auth: 'session' },
  accountInfo: { method: 'GET', path: '/account-info', auth: 'session', own: true },
  linkSocial: { method: 'POST', path: '/link-social', auth: 'session', own: true },
  unlinkAccount: { method: 'POST', path: '/unlink-account', auth: 'session', own: true },
  getAccessToken: { method: 'POST', path: '/get-access-token', auth: 'none', own: true },
  refreshToken: { method: 'POST', path: '/refresh-token', auth: 'none', own: true },
} as const satisfies Record<string, Call>
