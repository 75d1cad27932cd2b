import { createHmac } from 'node:crypto'
import { z } from 'zod'
import {
  accountId,
  claimsProfile,
  email,
  name,
  picture,
  read,
  toProfile,
  withParameters,
} from '../protocol/profile-fields.ts'
import type { ProviderProfile, ProviderRow, ProviderSession } from '../protocol/provider.ts'

const userShape = z.object({
  id: accountId,
  name,
  email,
  picture: z
    .object({ data: z.object({ url: picture, is_silhouette: z.unknown().optional() }) })
    .optional()
    .catch(undefined),
})

export const facebook: ProviderRow = {
  name: 'Facebook',
  endpoints: {
    authorization: 'https://www.facebook.com/v24.0/dialog/oauth',
    token: 'https://graph.facebook.com/v24.0/oauth/access_token',
    profile: 'https://graph.facebook.com/v24.0/me',
    jwks: 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
  },
  scopes: ['email', 'public_profile'],
  // The dialog drops the challenge, and the token call then refuses the verifier.
  pkce: 'none',
  // Phone apps get an id token that cannot call the API (Limited Login): its claims are all the data there is.
  idToken: { issuer: ['https://www.facebook.com', 'https://facebook.com'], algorithms: ['RS256'] },
  refreshes: false,
  profile: async (session) => {
    const profile = session.claims ? claimsProfile(session.claims) : await askGraph(session)
    // Facebook never reports whether the address was verified.
    return profile && { ...profile, emailVerified: false }
  },
}

async function askGraph(session: ProviderSession): Promise<ProviderProfile | undefined> {
  const address = withParameters(session.endpoints.profile, {
    fields: 'id,name,email,picture.width(400).height(400)',
    ...proofOf(session),
  })
  const user = read(userShape, await session.ask(address))
  if (!user) return undefined
  const { url, is_silhouette } = user.picture?.data ?? {}
  return toProfile({ id: user.id, name: user.name, email: user.email, image: is_silhouette === true ? null : url })
}

/** Proves that the application itself uses the token; apps may require it ("Require App Secret"). */
function proofOf({ options, tokens }: ProviderSession): Record<string, string> {
  if (!options.clientSecret) return {}
  return { appsecret_proof: createHmac('sha256', options.clientSecret).update(tokens.accessToken).digest('hex') }
}
