import { standardProfile } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

/** Twitch gives address and picture only when requested by name (OpenID Connect Core, section 5.5). */
const wanted = { email: null, email_verified: null, picture: null, preferred_username: null }

export const twitch: ProviderRow = {
  name: 'Twitch',
  endpoints: {
    authorization: 'https://id.twitch.tv/oauth2/authorize',
    token: 'https://id.twitch.tv/oauth2/token',
    profile: 'https://id.twitch.tv/oauth2/userinfo',
    jwks: 'https://id.twitch.tv/oauth2/keys',
  },
  scopes: ['user:read:email', 'openid'],
  // Twitch ignores PKCE; the nonce binds the code to the browser.
  authorizationParams: { claims: JSON.stringify({ id_token: wanted, userinfo: wanted }) },
  nonce: true,
  idToken: { issuer: 'https://id.twitch.tv/oauth2', algorithms: ['RS256'], signsIn: false },
  profile: standardProfile,
}
