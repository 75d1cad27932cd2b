import { z } from 'zod'
import { accountId, name, picture, read, toProfile, withParameters, word } from '../profile-fields.ts'
import type { ProviderRow } from '../provider.ts'

/** Reddit turns away clients that do not say what they are, in this form (its API rules). */
const userAgent = { 'user-agent': 'web:tollgate:v1 (sign-in of a self-hosted account server)' }

const userShape = z.object({
  id: accountId,
  name,
  subreddit: z.object({ title: name }).optional().catch(undefined),
  snoovatar_img: word,
  icon_img: word,
})

export const reddit: ProviderRow = {
  name: 'Reddit',
  endpoints: {
    authorization: 'https://www.reddit.com/api/v1/authorize',
    token: 'https://www.reddit.com/api/v1/access_token',
    profile: 'https://oauth.reddit.com/api/v1/me',
  },
  scopes: ['identity'],
  pkce: 'S256',
  tokenAuthentication: 'basic',
  tokenHeaders: userAgent,
  refreshes: true,
  placeholderEmail: true,
  profile: async ({ ask, endpoints }) => {
    const user = read(
      userShape,
      await ask(withParameters(endpoints.profile, { raw_json: '1' }), { headers: userAgent }),
    )
    if (!user) return undefined
    return toProfile({
      id: user.id,
      name: user.subreddit?.title ?? user.name,
      // `has_verified_email` speaks of an address that is never told.
      image: pictureOf(user.snoovatar_img ?? user.icon_img),
    })
  },
}

/** Addresses come written for HTML where the call's own parameter against it is passed over. */
const pictureOf = (written: string | null): string | null => picture.parse(written?.replaceAll('&amp;', '&'))
