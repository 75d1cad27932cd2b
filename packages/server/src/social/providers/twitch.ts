import { claimsProfile, withParameters } from '../profile-fields.ts'
import type { ProviderRow } from '../provider.ts'

/** Address and picture are told only when they are asked for by name (OpenID Connect Core, section 5.5). */
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
  // Passed over rather than checked; the nonce is what ties the code to the browser.
  pkce: 'S256',
  tokenAuthentication: 'post',
  authorizationParams: { claims: JSON.stringify({ id_token: wanted, userinfo: wanted }) },
  nonce: true,
  idToken: { issuer: 'https://id.twitch.tv/oauth2', algorithms: ['RS256'], signsIn: false },
  refreshes: true,
  profile: async ({ claims, ask, endpoints }) =>
    claimsProfile(claims ?? (await ask(withParameters(endpoints.profile)))),
}
