import { z } from 'zod'
import { accountId, name, picture, profileBy, word } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

const answerShape = z.object({
  data: z.object({
    user: z.object({ open_id: accountId, display_name: name, avatar_large_url: picture, avatar_url: picture }),
  }),
  error: z.object({ code: word }).optional(),
})

export const tiktok: ProviderRow = {
  name: 'TikTok',
  endpoints: {
    authorization: 'https://www.tiktok.com/v2/auth/authorize/',
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
    profile: 'https://open.tiktokapis.com/v2/user/info/',
  },
  // Usernames need an approved scope; one unapproved field fails the whole call.
  scopes: ['user.info.basic'],
  scopeSeparator: ',',
  pkce: 'hex',
  clientIdName: 'client_key',
  placeholderEmail: true,
  profile: profileBy(
    answerShape,
    ({ data: { user }, error }) => {
      if (error && error.code !== 'ok') return undefined
      return { id: user.open_id, name: user.display_name, image: user.avatar_large_url ?? user.avatar_url }
    },
    { parameters: { fields: 'open_id,display_name,avatar_large_url,avatar_url' } },
  ),
}
