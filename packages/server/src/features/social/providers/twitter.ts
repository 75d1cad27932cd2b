import { z } from 'zod'
import { accountId, email, name, picture, profileBy } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

// Twitter omits a field that was not granted, and lists errors beside the data.
const answerShape = z.object({
  data: z.object({ id: accountId, name, username: name, profile_image_url: picture, confirmed_email: email }),
})

export const twitter: ProviderRow = {
  name: 'X',
  endpoints: {
    authorization: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    profile: 'https://api.x.com/2/users/me',
  },
  scopes: ['users.read', 'tweet.read', 'offline.access', 'users.email'],
  tokenAuthentication: 'basic',
  profile: profileBy(
    answerShape,
    ({ data: user }) => ({
      id: user.id,
      name: user.name ?? user.username,
      email: user.confirmed_email,
      // Twitter gives only confirmed addresses; `verified` is the account's badge.
      emailVerified: true,
      // The small picture, 48 pixels wide, has larger versions under related names.
      image: user.profile_image_url?.replace(/_normal(\.\w+)$/, '_400x400$1'),
    }),
    { parameters: { 'user.fields': 'profile_image_url,confirmed_email' } },
  ),
}
