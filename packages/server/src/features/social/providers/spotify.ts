import { z } from 'zod'
import { accountId, email, name, picture, profileBy } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

const userShape = z.object({
  id: accountId,
  display_name: name,
  email,
  images: z.array(z.object({ url: picture })).catch([]),
})

export const spotify: ProviderRow = {
  name: 'Spotify',
  endpoints: {
    authorization: 'https://accounts.spotify.com/authorize',
    token: 'https://accounts.spotify.com/api/token',
    profile: 'https://api.spotify.com/v1/me',
  },
  scopes: ['user-read-email'],
  profile: profileBy(userShape, (user) => ({
    id: user.id,
    name: user.display_name ?? user.id,
    // Spotify never confirms that the address belongs to the user.
    email: user.email,
    image: user.images.find(({ url }) => url !== null)?.url,
  })),
}
