import { z } from 'zod'
import { accountId, email, name, profileBy, word, yes } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

const userShape = z.object({ id: accountId, username: name, global_name: name, avatar: word, email, verified: yes })

export const discord: ProviderRow = {
  name: 'Discord',
  endpoints: {
    authorization: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    profile: 'https://discord.com/api/v10/users/@me',
  },
  scopes: ['identify', 'email'],
  // Do not ask people again who have consented before.
  authorizationParams: { prompt: 'none' },
  profile: profileBy(userShape, (user) => ({
    id: user.id,
    name: user.global_name ?? user.username,
    email: user.email,
    emailVerified: user.verified,
    image: avatarOf(user.id, user.avatar),
  })),
}

/** Avatars are named by a hash; those that begin with `a_` are animated. */
function avatarOf(id: string, hash: string | null): string | null {
  if (hash === null || !/^\w{1,64}$/.test(hash) || !/^\d+$/.test(id)) return null
  return `https://cdn.discordapp.com/avatars/${id}/${hash}.${hash.startsWith('a_') ? 'gif' : 'png'}`
}
