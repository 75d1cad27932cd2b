import { z } from 'zod'
import { type ProviderEndpoints, ProviderFault, type ProviderProfile, type ProviderRow } from './provider.ts'

/**
 * Readers for provider profiles. A provider may omit, null or change any member except the id: that costs the person a
 * name or a picture, never the sign-in.
 */

/** The longest name to accept, in characters; our own limit is 100 (specification, section 5). */
const nameLimit = 100
/** The longest account id and the longest address, in characters. */
const idLimit = 255
const emailLimit = 320
const imageLimit = 2048

/** Lone surrogates, control and direction characters: they could make a name read as another, or break its line. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The account's id as text, without spaces: PostgreSQL accepts no NUL, and people compare ids by sight. */
export const accountId = z
  .union([z.string(), z.int()])
  .transform(String)
  .refine((id) => id.length > 0 && id.length <= idLimit && !/[\p{C}\p{Z}]/u.test(id))

const member = <T>(read: (value: unknown) => T) => z.unknown().optional().transform(read)

/** A name fit to be shown, or null. */
export const name = member((value) => (typeof value === 'string' ? tidyName(value) : null))

/** An address as the provider writes it, or null. `normalizeEmail` decides whether it is valid. */
export const email = member((value) => {
  // Keep its spaces: the provider does not vouch for an address that had to be changed.
  const written = typeof value === 'string' ? value : ''
  return written.trim() === '' || written.length > emailLimit ? null : written
})

/** A picture that pages may show: https only (security, section 0), or null. */
export const picture = member((value) => {
  if (typeof value !== 'string' || value.length > imageLimit || !URL.canParse(value)) return null
  const url = new URL(value)
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null
})

/** True for `true` and for the text "true", which some id tokens use; false for everything else. */
export const yes = member((value) => value === true || value === 'true')

/** A text to compare or to put into an address, or null. */
export const word = member((value) => (typeof value === 'string' && value !== '' ? value : null))

function tidyName(written: string): string | null {
  const oneLine = written.replace(unprintable, ' ').replace(/\s+/g, ' ').trim().normalize('NFC')
  return [...oneLine].slice(0, nameLimit).join('').trim() || null
}

/** Joins a name from its parts; null without any. */
export const joinNames = (...parts: readonly (string | null)[]): string | null =>
  tidyName(parts.filter((part) => part !== null).join(' '))

/** Parses a provider's answer by the row's schema; undefined when it does not match. */
export const read = <T>(shape: z.ZodType<T>, said: unknown): T | undefined => shape.safeParse(said).data

type KnownProfile = {
  id: string
  name?: string | null | undefined
  email?: string | null | undefined
  emailVerified?: boolean
  image?: string | null | undefined
}

/** Completes a profile; without an address, nothing is verified. */
export const toProfile = (known: KnownProfile): ProviderProfile => ({
  id: known.id,
  name: known.name ?? null,
  email: known.email ?? null,
  emailVerified: known.emailVerified === true && typeof known.email === 'string',
  image: known.image ?? null,
})

const claimsShape = z.object({
  sub: accountId,
  name,
  given_name: name,
  family_name: name,
  preferred_username: name,
  email,
  email_verified: yes,
  picture,
})

/** A profile from the standard claims (OpenID Connect Core, section 5.1) of an id token or the userinfo call. */
export function claimsProfile(said: unknown): ProviderProfile | undefined {
  const claims = read(claimsShape, said)
  if (!claims) return undefined
  const { preferred_username: username } = claims
  return toProfile({
    id: claims.sub,
    // A username that is an address would be public as the person's name.
    name:
      claims.name ?? joinNames(claims.given_name, claims.family_name) ?? (username?.includes('@') ? null : username),
    email: claims.email,
    emailVerified: claims.email_verified,
    image: claims.picture,
  })
}

type ProfileCall = {
  readonly parameters?: Readonly<Record<string, string>>
  readonly method?: 'POST'
  readonly headers?: Record<string, string>
}

/**
 * A row's `profile`: asks the profile call, parses its answer by a shape, and describes the person by it. Undefined
 * when the answer does not match, or when the row finds it unusable.
 */
export const profileBy =
  <T>(
    shape: z.ZodType<T>,
    describe: (answer: T) => KnownProfile | undefined,
    { parameters, ...request }: ProfileCall = {},
  ): ProviderRow['profile'] =>
  async ({ ask, endpoints }) => {
    const answer = read(shape, await ask(withParameters(endpoints.profile, parameters), request))
    const known = answer && describe(answer)
    return known && toProfile(known)
  }

/** A row's `profile` by the standard claims: those of the id token, else of the userinfo call. */
export const standardProfile: ProviderRow['profile'] = async ({ claims, ask, endpoints }) =>
  claimsProfile(claims ?? (await ask(withParameters(endpoints.profile))))

/** The address of a call, with the row's parameters; the configuration may override the address. */
export function withParameters(
  address: ProviderEndpoints['profile'],
  parameters: Readonly<Record<string, string>> = {},
): string {
  if (address === undefined) throw new ProviderFault('the provider has no profile endpoint')
  const url = new URL(address)
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value)
  return url.href
}
