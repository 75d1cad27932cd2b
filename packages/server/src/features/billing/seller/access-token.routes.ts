import type { accessTokenCalls } from '@tollgate/contract/billing'
import { createAccessToken, deleteAccessToken, listAccessTokens, updateAccessToken } from './access-token.service.ts'
import type { BillingRoutes } from './billing-routes.ts'

/** Maps each call of the contract to its service. */
export const accessTokenRoutes: BillingRoutes<typeof accessTokenCalls> = {
  listAccessTokens: ({ ctx, seller, query }) => listAccessTokens(ctx, seller, query),
  createAccessToken: ({ ctx, seller, current, body }) => createAccessToken(ctx, seller, current, body),
  updateAccessToken: ({ ctx, seller, current, params, body }) =>
    updateAccessToken(ctx, seller, current, params.id, body),
  deleteAccessToken: ({ ctx, seller, current, params }) => deleteAccessToken(ctx, seller, current, params.id),
}
