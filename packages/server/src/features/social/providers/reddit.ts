import { z } from 'zod'
import { accountId, name, picture, profileBy, word } from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

/** Reddit turns away clients that do not identify themselves in this form (its API rules). */
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
  tokenAuthentication: 'basic',
  tokenHeaders: userAgent,
  placeholderEmail: true,
  profile: profileBy(
    userShape,
    (user) => ({
      id: user.id,
      name: user.subreddit?.title ?? user.name,
      // `has_verified_email` refers to an address that Reddit never gives.
      image: pictureOf(user.snoovatar_img ?? user.icon_img),
    }),
    { parameters: { raw_json: '1' }, headers: userAgent },
  ),
}

/** Addresses are HTML-escaped where Reddit ignores the parameter against it. */
const pictureOf = (written: string | null): string | null => picture.parse(written?.replaceAll('&amp;', '&'))
