import type { ParsedBody } from '@tollgate/contract/types'
import { TollgateError } from '../../foundation/error.ts'
import { normalizeImage, normalizeName } from '../identity/profile-rules.ts'
import { normalizeSlug } from './slug-rules.ts'

/** An organization's profile, validated and in its stored form. */

/** Maximum size of an organization's metadata, in bytes of JSON. */
const metadataLimit = 16 * 1024

type Given = ParsedBody<'updateOrganization'>['data']
type Profile = { [Name in keyof Given]?: Exclude<Given[Name], undefined> }

/** Validates the given fields and leaves out the others. Fields without a rule are stored as given. */
export function checkedProfile({ name, slug, logo, metadata, ...others }: Given): Profile {
  return {
    ...(name !== undefined && { name: requireName(name) }),
    ...(slug !== undefined && { slug: requireSlug(slug) }),
    ...(logo !== undefined && { logo: logo ? requireLogo(logo) : null }),
    ...(metadata !== undefined && { metadata: metadata && requireMetadata(metadata) }),
    ...definedOnly(others),
  }
}

export function requireName(given: string): string {
  const name = normalizeName(given)
  if (!name) throw new TollgateError('INVALID_NAME')
  return name
}

export function requireSlug(given: string): string {
  const slug = normalizeSlug(given)
  if (slug === null) throw new TollgateError('INVALID_SLUG')
  return slug
}

function requireLogo(given: string): string {
  const logo = normalizeImage(given)
  if (logo === null) throw new TollgateError('INVALID_LOGO')
  return logo
}

function requireMetadata(metadata: Record<string, unknown>): Record<string, unknown> {
  if (!isStorable(metadata)) throw new TollgateError('VALIDATION_ERROR')
  if (Buffer.byteLength(JSON.stringify(metadata)) > metadataLimit) throw new TollgateError('METADATA_TOO_LARGE')
  return metadata
}

/** PostgreSQL stores neither NUL nor lone surrogates; both databases must behave alike. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, held]) => isStorable(name) && isStorable(held))
}

/** Drops undefined fields, which server code may pass. */
const definedOnly = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members> // as filtered
type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }
