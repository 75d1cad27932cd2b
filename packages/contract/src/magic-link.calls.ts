import type { Call } from './call.ts'

/** Sign-in by a mailed link, or by the code in the same mail (auth contract, section 7; security, §0). */
export const magicLinkCalls = {
  signInMagicLink: {
    method: 'POST',
    path: '/sign-in/magic-link',
    auth: 'none',
    captcha: 'default',
    feature: 'magicLink',
    limit: 'link',
  },
  verifyMagicLink: {
    method: 'GET',
    path: '/magic-link/verify',
    auth: 'none',
    acts: true,
    refreshes: ['session'],
    feature: 'magicLink',
    limit: 'link',
  },
  signInEmailOtp: {
    method: 'POST',
    path: '/sign-in/email-otp',
    auth: 'none',
    refreshes: ['session'],
    feature: 'magicLink',
    limit: 'guess',
  },
} as const satisfies Record<string, Call>
