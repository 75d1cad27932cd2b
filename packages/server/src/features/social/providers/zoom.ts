import { z } from 'zod'
import { accountId, email, joinNames, name, picture, profileBy } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

const userShape = z.object({
  id: accountId,
  display_name: name,
  first_name: name,
  last_name: name,
  email,
  verified: z.unknown().optional(),
  pic_url: picture,
})

export const zoom: ProviderRow = {
  name: 'Zoom',
  endpoints: {
    authorization: 'https://zoom.us/oauth/authorize',
    token: 'https://zoom.us/oauth/token',
    profile: 'https://api.zoom.us/v2/users/me',
  },
  // The application defines the scopes; without the parameter it gets all of them.
  scopes: [],
  tokenAuthentication: 'basic',
  profile: profileBy(userShape, (user) => ({
    id: user.id,
    name: user.display_name ?? joinNames(user.first_name, user.last_name),
    email: user.email,
    // The login type. It is 0 for people with company sign-in, whose administrator chose the address.
    emailVerified: user.verified === 1,
    image: user.pic_url,
  })),
}
