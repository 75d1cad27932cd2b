import { z } from 'zod'
import { accountId, email, name, picture, profileBy, word } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

const userShape = z.object({
  id: accountId,
  name,
  username: name,
  state: word,
  locked: z.unknown().optional(),
  email,
  confirmed_at: word,
  avatar_url: picture,
})

export const gitlab: ProviderRow = {
  name: 'GitLab',
  endpoints: ({ issuer = 'https://gitlab.com' }) => {
    const server = issuer.replace(/\/+$/, '')
    return {
      authorization: `${server}/oauth/authorize`,
      token: `${server}/oauth/token`,
      profile: `${server}/api/v4/user`,
    }
  },
  scopes: ['read_user'],
  profile: profileBy(userShape, (user) => {
    if (user.state !== 'active' || user.locked === true) return undefined
    return {
      id: user.id,
      name: user.name ?? user.username,
      email: user.email,
      emailVerified: user.confirmed_at !== null,
      image: user.avatar_url,
    }
  }),
}
