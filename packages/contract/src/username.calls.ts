import type { Call } from './call.ts'

/** Sign-in by username (specification, sections 5 and 8). */
export const usernameCalls = {
  signInUsername: {
    method: 'POST',
    path: '/sign-in/username',
    auth: 'none',
    refreshes: ['session'],
    captcha: 'default',
    feature: 'username',
    limit: 'guess',
  },
  isUsernameAvailable: {
    method: 'POST',
    path: '/is-username-available',
    auth: 'none',
    feature: 'username',
    limit: 'guess',
  },
} as const satisfies Record<string, Call>
