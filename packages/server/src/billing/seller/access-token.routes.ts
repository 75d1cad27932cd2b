import type { accessTokenCalls } from '@tollgate/contract/billing'
import type { BillingRoutes } from '../../http/billing-route.ts'
import { createAccessToken, deleteAccessToken, listAccessTokens, updateAccessToken } from './access-token.service.ts'

/** Each call of the contract and the service that does it. */
export const accessTokenRoutes: BillingRoutes<typeof accessTokenCalls> = {
  listAccessTokens: ({ ctx, seller, query }) => listAccessTokens(ctx, seller, query),
  createAccessToken: ({ ctx, seller, current, body }) => createAccessToken(ctx, seller, current, body),
  updateAccessToken: ({ ctx, seller, current, params, body }) =>
    updateAccessToken(ctx, seller, current, params.id, body),
  deleteAccessToken: ({ ctx, seller, current, params }) => deleteAccessToken(ctx, seller, current, params.id),
}
