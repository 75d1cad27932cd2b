import { z } from 'zod'
import { accountId, email, name, picture, profileBy } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

// A list of people; without a filter it holds the token's own person.
const answerShape = z.object({
  data: z.tuple([z.object({ user_id: accountId, name, email, profile_picture: picture })]),
})

export const kick: ProviderRow = {
  name: 'Kick',
  endpoints: {
    authorization: 'https://id.kick.com/oauth/authorize',
    token: 'https://id.kick.com/oauth/token',
    profile: 'https://api.kick.com/public/v1/users',
  },
  scopes: ['user:read'],
  profile: profileBy(answerShape, ({ data: [user] }) => ({
    id: user.user_id,
    name: user.name,
    // Kick does not report whether the address was verified.
    email: user.email,
    image: user.profile_picture,
  })),
}
