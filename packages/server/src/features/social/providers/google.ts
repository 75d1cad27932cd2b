import { standardProfile } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

export const google: ProviderRow = {
  name: 'Google',
  endpoints: {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    profile: 'https://openidconnect.googleapis.com/v1/userinfo',
    jwks: 'https://www.googleapis.com/oauth2/v3/certs',
  },
  scopes: ['email', 'profile', 'openid'],
  loginHint: 'login_hint',
  nonce: true,
  idToken: {
    // Old tokens name the issuer without its scheme.
    issuer: ['https://accounts.google.com', 'accounts.google.com'],
    algorithms: ['RS256'],
    nonceMayBeHashed: true,
  },
  profile: standardProfile,
}
