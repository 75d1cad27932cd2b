import { standardProfile } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

export const roblox: ProviderRow = {
  name: 'Roblox',
  endpoints: {
    authorization: 'https://apis.roblox.com/oauth/v1/authorize',
    token: 'https://apis.roblox.com/oauth/v1/token',
    profile: 'https://apis.roblox.com/oauth/v1/userinfo',
  },
  scopes: ['openid', 'profile'],
  placeholderEmail: true,
  profile: async (session) => {
    const profile = await standardProfile(session)
    // Only Roblox's own applications get addresses; ignore any value here.
    return profile && { ...profile, email: null, emailVerified: false }
  },
}
