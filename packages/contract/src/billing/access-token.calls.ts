import type { BillingCall } from './call.ts'

/** Organization access tokens: for signed-in members who hold `token`, never by a token itself. */
export const accessTokenCalls = {
  listAccessTokens: { method: 'GET', path: '/organization-access-tokens', auth: 'user', permission: 'token:read' },
  createAccessToken: {
    method: 'POST',
    path: '/organization-access-tokens',
    auth: 'user',
    status: 201,
    own: true,
    approved: true,
    onceByKey: true,
    permission: 'token:write',
  },
  updateAccessToken: {
    method: 'PATCH',
    path: '/organization-access-tokens/:id',
    auth: 'user',
    own: true,
    approved: true,
    permission: 'token:write',
  },
  deleteAccessToken: {
    method: 'DELETE',
    path: '/organization-access-tokens/:id',
    auth: 'user',
    status: 204,
    own: true,
    permission: 'token:write',
  },
} as const satisfies Record<string, BillingCall>
