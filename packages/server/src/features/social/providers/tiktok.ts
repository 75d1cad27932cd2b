import { z } from 'zod'
import { accountId, name, picture, read, toProfile, withParameters, word } from '../protocol/profile-fields.ts'
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
  tokenAuthentication: 'post',
  clientIdName: 'client_key',
  refreshes: true,
  placeholderEmail: true,
  profile: async ({ ask, endpoints }) => {
    const address = withParameters(endpoints.profile, { fields: 'open_id,display_name,avatar_large_url,avatar_url' })
    const answer = read(answerShape, await ask(address))
    if (!answer || (answer.error && answer.error.code !== 'ok')) return undefined
    const { user } = answer.data
    return toProfile({ id: user.open_id, name: user.display_name, image: user.avatar_large_url ?? user.avatar_url })
  },
}
