import { z } from 'zod'
import type { ProviderOptions } from '../../../foundation/config/config.ts'
import { read, standardProfile, word } from '../protocol/profile-fields.ts'
import type { Json, ProviderEndpoints, ProviderRow, ProviderSession } from '../protocol/provider.ts'

const cloud = 'https://login.microsoftonline.com'

export const microsoft: ProviderRow = {
  name: 'Microsoft',
  endpoints: (options) => ({
    authorization: `${cloud}/${pathOf(options)}/oauth2/v2.0/authorize`,
    token: `${cloud}/${pathOf(options)}/oauth2/v2.0/token`,
    profile: 'https://graph.microsoft.com/oidc/userinfo',
    jwks: `${cloud}/${pathOf(options)}/discovery/v2.0/keys`,
  }),
  scopes: ['openid', 'profile', 'email', 'User.Read'],
  loginHint: 'login_hint',
  nonce: true,
  idToken: { issuer: issuerOf, algorithms: ['RS256'] },
  profile: async (session) => {
    const { claims, options } = session
    if (claims && !(await isOfPinnedDomain(session, claims))) return undefined
    const profile = await standardProfile(session)
    // Pages cannot show the userinfo call's picture: it requires the token.
    return profile && { ...profile, image: null, emailVerified: profile.email !== null && vouches(claims, options) }
  },
}

/** All accounts, work or school accounts, personal accounts: names that pin no tenant. */
const openTenants = ['common', 'organizations', 'consumers']
/** The tenant of all personal accounts (Microsoft identity platform, "ID token claims reference", `tid`). */
const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Options = ProviderSession['options'] | ProviderOptions

const tenantOf = (options: Options): string =>
  (('tenantId' in options && options.tenantId) || 'common').trim().toLowerCase()

const pathOf = (options: Options): string => encodeURIComponent(tenantOf(options))

/**
 * The issuer that a token with these claims must have: it names the person's own tenant, which must be the pinned one
 * or of the accepted kind. Undefined otherwise. The token call's address tells other clouds apart.
 */
function issuerOf(claims: Json, options: Options): string | undefined {
  const { tid } = claims
  if (typeof tid !== 'string' || !guid.test(tid)) return undefined
  const tenant = tenantOf(options)
  if (guid.test(tenant) && tid !== tenant) return undefined
  if (tenant === 'consumers' && tid !== personalTenant) return undefined
  if (tenant === 'organizations' && tid === personalTenant) return undefined
  return `${new URL(options.endpoints?.token ?? cloud).origin}/${tid}/v2.0`
}

/** The settings may pin a tenant by a domain. Tokens name its id, which its metadata gives. */
async function isOfPinnedDomain({ ask, endpoints, options }: ProviderSession, claims: Json): Promise<boolean> {
  const tenant = tenantOf(options)
  if (openTenants.includes(tenant) || guid.test(tenant)) return true
  const metadata = new URL(`/${pathOf(options)}/v2.0/.well-known/openid-configuration`, metadataOrigin(endpoints))
  const issuer = read(z.object({ issuer: word }), await ask(metadata.href))?.issuer
  return typeof claims.tid === 'string' && issuer?.split('/').at(-2) === claims.tid
}

const metadataOrigin = ({ token }: ProviderEndpoints): string => new URL(token).origin

/**
 * Whether the address is this person's. Administrators may write any address into their tenant, so only `xms_edov`
 * (its domain's owner is verified) or the chosen tenant proves it. Guests bring foreign addresses: the optional claim
 * `acct` identifies members, and without it no address counts as verified.
 */
function vouches(claims: Json | undefined, options: Options): boolean {
  const { xms_edov: ownerVerified, acct: guest } = claims ?? {}
  if (claims === undefined) return false
  if (ownerVerified !== undefined && ownerVerified !== null)
    return [true, 'true', 1, '1'].some((yes) => yes === ownerVerified)
  return !openTenants.includes(tenantOf(options)) && (guest === 0 || guest === '0')
}
