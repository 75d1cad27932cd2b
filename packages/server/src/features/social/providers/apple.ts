import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import { after, minutes } from '../../../foundation/clock.ts'
import type { ProviderOptions } from '../../../foundation/config/config.ts'
import { claimsProfile, joinNames, name, read } from '../protocol/profile-fields.ts'
import { ProviderFault, type ProviderRow } from '../protocol/provider.ts'

const issuer = 'https://appleid.apple.com'

export const apple: ProviderRow = {
  name: 'Apple',
  endpoints: {
    authorization: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
    jwks: 'https://appleid.apple.com/auth/keys',
  },
  scopes: ['email', 'name'],
  formPost: true,
  nonce: true,
  clientSecret: signedSecret,
  idToken: { issuer, algorithms: ['RS256'], nonceMayBeHashed: true },
  profile: async ({ claims, callback }) => {
    if (!claims) throw new ProviderFault('Apple returned no id token, which alone holds the profile')
    const profile = claimsProfile(claims)
    return profile && { ...profile, name: nameFromPost(callback.user) ?? profile.name }
  },
}

/**
 * Apple's client secret is a token signed with the team's key, valid for at most half a year ("Creating a client
 * secret"). Each request makes a new one, so that none expires. Throws a `ProviderFault` when the key cannot be read.
 */
async function signedSecret({ clientId, clientSecret, ...own }: ProviderOptions, now: Date): Promise<string> {
  const { teamId, keyId, privateKey } = own
  if (!teamId || !keyId || !privateKey) return clientSecret ?? ''
  try {
    // A one-line settings file writes the key's line breaks as \n.
    const key = await importPKCS8(privateKey.replaceAll('\\n', '\n'), 'ES256')
    return await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(issuer)
      .setIssuedAt(now)
      .setExpirationTime(after(now, minutes(5)))
      .sign(key)
  } catch (cause) {
    throw new ProviderFault('socialProviders.apple.privateKey is not a P-256 private key in PEM format', { cause })
  }
}

const postedShape = z.object({ name: z.object({ firstName: name, lastName: name }) })

/**
 * The name arrives once, in the form of the first consent, beside the token. The form is unsigned, so read only the
 * name.
 */
function nameFromPost(posted: string | undefined): string | null {
  const user = read(postedShape, parsed(posted))
  return user ? joinNames(user.name.firstName, user.name.lastName) : null
}

function parsed(posted: string | undefined): unknown {
  try {
    return posted === undefined ? undefined : JSON.parse(posted)
  } catch {
    return undefined
  }
}
