import type { magicLinkCalls } from '@tollgate/contract/calls'
import type { Routes } from '../http/route.ts'
import { signInEmailOtp, signInMagicLink, verifyMagicLink } from './magic-link.service.ts'

/** Sign-in by a mailed link or its code: each call of the contract and the service that does it. */
export const magicLinkRoutes: Routes<typeof magicLinkCalls> = {
  signInMagicLink: ({ ctx, caller, body }) => signInMagicLink(ctx, caller, body),
  verifyMagicLink: ({ ctx, caller, query }) => verifyMagicLink(ctx, caller, query),
  signInEmailOtp: ({ ctx, caller, body }) => signInEmailOtp(ctx, caller, body),
}
