import { claimsProfile, withParameters } from '../profile-fields.ts'
import type { ProviderRow } from '../provider.ts'

export const linkedin: ProviderRow = {
  name: 'LinkedIn',
  endpoints: {
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    profile: 'https://api.linkedin.com/v2/userinfo',
  },
  scopes: ['profile', 'email', 'openid'],
  // A verifier is answered with "client authentication failed".
  pkce: 'none',
  tokenAuthentication: 'post',
  refreshes: true,
  // The id token carries no nonce and nothing that the call does not say.
  profile: async ({ ask, endpoints }) => claimsProfile(await ask(withParameters(endpoints.profile))),
}
