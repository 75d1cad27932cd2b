import type { magicLinkCalls } from '@tollgate/contract/calls'
import type { AuthRoutes } from '../identity/auth-routes.ts'
import { signInEmailOtp, signInMagicLink, verifyMagicLink } from './magic-link.service.ts'

/** Sign-in by a mailed link or its code: each call of the contract and the service that handles it. */
export const magicLinkRoutes: AuthRoutes<typeof magicLinkCalls> = {
  signInMagicLink: ({ ctx, caller, body }) => signInMagicLink(ctx, caller, body),
  verifyMagicLink: ({ ctx, caller, query }) => verifyMagicLink(ctx, caller, query),
  signInEmailOtp: ({ ctx, caller, body }) => signInEmailOtp(ctx, caller, body),
}
