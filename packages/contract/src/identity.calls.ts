import type { Call } from './call.ts'

/** Accounts and sessions (specification, section 7: "Session and sign-in", "Email, password and account"). */
export const identityCalls = {
  ok: { method: 'GET', path: '/ok', auth: 'none' },
  errorPage: { method: 'GET', path: '/error', auth: 'none', navigates: true, page: true },

  getSession: { method: 'GET', path: '/get-session', auth: 'none', limit: 'none' },
  listSessions: { method: 'GET', path: '/list-sessions', auth: 'session' },
  revokeSession: { method: 'POST', path: '/revoke-session', auth: 'session', refreshes: ['session'] },
  revokeSessions: { method: 'POST', path: '/revoke-sessions', auth: 'session', refreshes: ['session'], own: true },
  revokeOtherSessions: { method: 'POST', path: '/revoke-other-sessions', auth: 'session', own: true },
  signOut: { method: 'POST', path: '/sign-out', auth: 'none', refreshes: ['session'] },

  signUpEmail: {
    method: 'POST',
    path: '/sign-up/email',
    auth: 'none',
    refreshes: ['session'],
    captcha: 'default',
    limit: 'guess',
  },
  signInEmail: {
    method: 'POST',
    path: '/sign-in/email',
    auth: 'none',
    refreshes: ['session'],
    captcha: 'default',
    limit: 'guess',
  },

  sendVerificationEmail: { method: 'POST', path: '/send-verification-email', auth: 'none', captcha: 'onDemand' },
  verifyEmail: { method: 'GET', path: '/verify-email', auth: 'none', acts: true, refreshes: ['session'] },

  forgetPassword: {
    method: 'POST',
    path: '/forget-password',
    auth: 'none',
    captcha: 'default',
    aliasOf: '/request-password-reset',
  },
  requestPasswordReset: { method: 'POST', path: '/request-password-reset', auth: 'none', captcha: 'default' },
  resetPasswordCallback: {
    method: 'GET',
    path: '/reset-password/:token',
    auth: 'none',
    navigates: true,
    secrets: ['token'],
  },
  resetPassword: { method: 'POST', path: '/reset-password', auth: 'none', refreshes: ['session'] },

  changePassword: {
    method: 'POST',
    path: '/change-password',
    auth: 'session',
    refreshes: ['session'],
    own: true,
    limit: 'guess',
  },
  setPassword: { method: 'POST', path: '/set-password', auth: 'session', serverOnly: true, own: true },
  verifyPassword: { method: 'POST', path: '/verify-password', auth: 'session', own: true },

  updateSession: { method: 'POST', path: '/update-session', auth: 'session', refreshes: ['session'] },
  updateUser: { method: 'POST', path: '/update-user', auth: 'session', refreshes: ['session'] },
  uploadUserImage: {
    method: 'POST',
    path: '/upload-image',
    auth: 'session',
    refreshes: ['session'],
    takesFile: true,
    limit: 'upload',
  },
  changeEmail: {
    method: 'POST',
    path: '/change-email',
    auth: 'session',
    refreshes: ['session'],
    own: true,
    limit: 'guess',
  },
  deleteUser: { method: 'POST', path: '/delete-user', auth: 'session', refreshes: ['session'], own: true },
  deleteUserCallback: {
    method: 'GET',
    path: '/delete-user/callback',
    auth: 'none',
    acts: true,
    refreshes: ['session'],
    own: true,
  },
} as const satisfies Record<string, Call>
