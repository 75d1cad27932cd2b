import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { Updateable } from 'kysely'
import { type Tables, toJson } from '../../db/tables.ts'
import type { InputIssue } from '../../error.ts'
import { normalizeEmail, normalizeImage, normalizeName } from '../../identity/profile-rules.ts'
import { inBody, invalid } from '../invalid.ts'
import { type MerchantRow, usualSettings } from './seller.repository.ts'

/** What is asked to be changed of an organization as a seller, checked and as it is stored. */
export type MerchantChanges = {
  /** Of the organization's own row. */
  readonly profile: { readonly name?: string; readonly logo?: string | null }
  /** Of its billing side. */
  readonly settings: Updateable<Tables['merchant']>
}

type Asked = Omit<ParsedBillingBody<'updateMerchant'>, 'name'> & { readonly name?: string | null | undefined }

/** Refuses with all that is wrong at once. Members that are not given stay; those of settings, too. */
export function checkedChanges(asked: Asked, before: MerchantRow | undefined, now: Date): MerchantChanges {
  const issues: InputIssue[] = []
  const name = asked.name == null ? undefined : normalizeName(asked.name)
  if (name === null) issues.push(inBody('name', 'Input should be a name without control characters'))
  const logo = asked.avatarUrl ? normalizeImage(asked.avatarUrl) : asked.avatarUrl
  if (logo === null && asked.avatarUrl) issues.push(inBody('avatar_url', 'Input should be a valid URL', 'url_parsing'))
  const contactEmail = asked.email == null ? asked.email : normalizeEmail(asked.email)
  if (contactEmail === null && asked.email)
    issues.push(inBody('email', 'Input should be a valid email address', 'value_error'))
  if (issues.length > 0) throw invalid(...issues)
  return {
    profile: { ...(name != null && { name }), ...(logo !== undefined && { logo }) },
    settings: {
      ...(contactEmail !== undefined && { contactEmail }),
      ...(asked.website !== undefined && { website: asked.website }),
      ...(asked.socials && { socials: toJson(asked.socials) }),
      ...(asked.details && { details: toJson(asked.details), detailsSubmittedAt: now }),
      ...(asked.featureSettings && {
        featureSettings: merged(before?.featureSettings ?? usualSettings.featureSettings, asked.featureSettings),
      }),
      ...(asked.subscriptionSettings && {
        subscriptionSettings: merged(
          before?.subscriptionSettings ?? usualSettings.subscriptionSettings,
          asked.subscriptionSettings,
        ),
      }),
    },
  }
}

const merged = (before: unknown, asked: object): string => toJson({ ...(before as object), ...asked }) // written here
