import type { usernameCalls } from '@tollgate/contract/calls'
import type { Routes } from '../http/route.ts'
import { isUsernameAvailable, signInUsername } from './username.service.ts'

/** Sign-in by username: each call of the contract and the service that does it. */
export const usernameRoutes: Routes<typeof usernameCalls> = {
  signInUsername: ({ ctx, caller, body }) => signInUsername(ctx, caller, body),
  isUsernameAvailable: ({ ctx, body }) => isUsernameAvailable(ctx, body),
}
