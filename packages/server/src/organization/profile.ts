import type { ParsedBody } from '@tollgate/contract/types'
import { toJson } from '../db/tables.ts'
import { TollgateError } from '../error.ts'
import { normalizeImage, normalizeName } from '../identity/profile-rules.ts'
import { normalizeSlug } from './slug-rules.ts'

/** What organizations say about themselves, checked and as it is stored. */

/** Most bytes of an organization's metadata, as JSON. */
const metadataLimit = 16 * 1024

type Given = Omit<ParsedBody<'updateOrganization'>['data'], 'requireVerifiedEmail'>
type Profile = { name?: string; slug?: string; logo?: string | null; metadata?: string | null }

/** What is to be written of what was given; members that were not given are left out. */
export function checkedProfile(given: Given): Profile {
  const { name, slug, logo, metadata } = given
  return {
    ...(name !== undefined && { name: requireName(name) }),
    ...(slug !== undefined && { slug: requireSlug(slug) }),
    ...(logo !== undefined && { logo: logo ? requireLogo(logo) : null }),
    ...(metadata !== undefined && { metadata: metadata && requireMetadata(metadata) }),
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

function requireMetadata(given: Record<string, unknown>): string {
  if (!isStorable(given)) throw new TollgateError('VALIDATION_ERROR')
  const metadata = toJson(given)
  if (Buffer.byteLength(metadata) > metadataLimit) throw new TollgateError('METADATA_TOO_LARGE')
  return metadata
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair; both databases shall answer alike. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, held]) => isStorable(name) && isStorable(held))
}
