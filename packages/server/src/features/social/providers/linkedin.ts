import { claimsProfile, withParameters } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

export const linkedin: ProviderRow = {
  name: 'LinkedIn',
  endpoints: {
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    profile: 'https://api.linkedin.com/v2/userinfo',
  },
  scopes: ['profile', 'email', 'openid'],
  // LinkedIn answers a verifier with "client authentication failed".
  pkce: 'none',
  tokenAuthentication: 'post',
  refreshes: true,
  // The id token carries no nonce and no more than the userinfo call.
  profile: async ({ ask, endpoints }) => claimsProfile(await ask(withParameters(endpoints.profile))),
}
