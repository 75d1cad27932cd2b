import type { jwtCalls } from '@tollgate/contract/calls'
import type { AuthRoutes } from '../identity/auth-routes.ts'
import { getJwks, getToken } from './jwt.service.ts'

/** Tokens for other services, and the keys that verify them. */
export const jwtRoutes: AuthRoutes<typeof jwtCalls> = {
  getToken: ({ ctx, session }) => getToken(ctx, session),
  getJwks: ({ ctx }) => getJwks(ctx),
}
