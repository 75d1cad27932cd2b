import type { BillingCall } from './call.ts'

/** Organization access tokens: for signed-in members who hold `token`, never by a token itself. */
export const accessTokenCalls = {
  listAccessTokens: { method: 'GET', path: '/organization-access-tokens', auth: 'user' },
  createAccessToken: { method: 'POST', path: '/organization-access-tokens', auth: 'user', status: 201, own: true },
  updateAccessToken: { method: 'PATCH', path: '/organization-access-tokens/:id', auth: 'user', own: true },
  deleteAccessToken: {
    method: 'DELETE',
    path: '/organization-access-tokens/:id',
    auth: 'user',
    status: 204,
    own: true,
  },
} as const satisfies Record<string, BillingCall>
