import type { usernameCalls } from '@tollgate/contract/calls'
import type { AuthRoutes } from '../identity/auth-routes.ts'
import { isUsernameAvailable, signInUsername } from './username.service.ts'

/** Sign-in by username: each call of the contract and the service that handles it. */
export const usernameRoutes: AuthRoutes<typeof usernameCalls> = {
  signInUsername: ({ ctx, caller, body }) => signInUsername(ctx, caller, body),
  isUsernameAvailable: ({ ctx, body }) => isUsernameAvailable(ctx, body),
}
