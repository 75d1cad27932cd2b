import { z } from 'zod'
import { accountId, email, name, picture, profileBy, yes } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

const accountShape = z.object({
  account_id: accountId,
  name: z.object({ display_name: name }).optional().catch(undefined),
  email,
  email_verified: yes,
  profile_photo_url: picture,
})

export const dropbox: ProviderRow = {
  name: 'Dropbox',
  endpoints: {
    authorization: 'https://www.dropbox.com/oauth2/authorize',
    token: 'https://api.dropboxapi.com/oauth2/token',
    profile: 'https://api.dropboxapi.com/2/users/get_current_account',
  },
  scopes: ['account_info.read'],
  profile: profileBy(
    accountShape,
    (account) => ({
      id: account.account_id,
      name: account.name?.display_name,
      email: account.email,
      emailVerified: account.email_verified,
      image: account.profile_photo_url,
    }),
    // A call without parameters must have no body at all: an empty one of any type is refused.
    { method: 'POST' },
  ),
}
