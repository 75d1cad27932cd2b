import { standardProfile } from '../protocol/profile-fields.ts'
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
  // Without rules for id tokens: LinkedIn's carries no nonce and no more than the userinfo call.
  profile: standardProfile,
}
