import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import { type Brand, noBrand } from '@tollgate/contract/brand'
import type { Updateable } from 'kysely'
import type { Tables } from '../../../foundation/db/tables.ts'
import type { InputIssue } from '../../../foundation/error.ts'
import { normalizeEmail, normalizeImage, normalizeName } from '../../identity/profile-rules.ts'
import { inBody, invalid } from '../invalid.ts'
import { type MerchantRow, subscriptionSettingsOf, usualSettings } from '../merchant/merchant.repository.ts'

/** The checked changes of a selling organization, as they are stored. */
export type MerchantChanges = {
  /** Columns of the organization's row. */
  readonly profile: { readonly name?: string; readonly logo?: string | null }
  /** Columns of its merchant row. */
  readonly settings: Updateable<Tables['merchant']>
}

type Asked = Omit<ParsedBillingBody<'updateMerchant'>, 'name'> & { readonly name?: string | null | undefined }

/** Throws all faults at once. Omitted members stay, including those of the settings. */
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
      ...(asked.socials && { socials: asked.socials }),
      ...(asked.details && { details: asked.details, detailsSubmittedAt: now }),
      ...(asked.featureSettings && { featureSettings: changedFeatures(asked.featureSettings, before) }),
      ...(asked.defaultPresentmentCurrency !== undefined && { defaultCurrency: asked.defaultPresentmentCurrency }),
      ...(asked.brand && { brand: changedBrand(asked.brand, before) }),
      ...(asked.subscriptionSettings && {
        subscriptionSettings: changedSubscriptionSettings(asked.subscriptionSettings, before),
      }),
    },
  }
}

function changedFeatures(asked: NonNullable<Asked['featureSettings']>, before: MerchantRow | undefined) {
  const known = before?.featureSettings ?? usualSettings.featureSettings
  return {
    issueFundingEnabled: asked.issueFundingEnabled ?? known.issueFundingEnabled,
    usageBasedBillingEnabled: asked.usageBasedBillingEnabled ?? known.usageBasedBillingEnabled,
  }
}

function changedBrand(asked: NonNullable<Asked['brand']>, before: MerchantRow | undefined): Brand {
  const { color, background, radius } = before?.brand ?? noBrand
  return {
    color: asked.color === undefined ? color : asked.color,
    background: asked.background === undefined ? background : asked.background,
    radius: asked.radius === undefined ? radius : asked.radius,
  }
}

function changedSubscriptionSettings(
  asked: NonNullable<Asked['subscriptionSettings']>,
  before: MerchantRow | undefined,
) {
  const known = subscriptionSettingsOf(before)
  return {
    allowMultipleSubscriptions: asked.allowMultipleSubscriptions ?? known.allowMultipleSubscriptions,
    allowCustomerUpdates: asked.allowCustomerUpdates ?? known.allowCustomerUpdates,
    prorationBehavior: asked.prorationBehavior ?? known.prorationBehavior,
    benefitRevocationGracePeriod: asked.benefitRevocationGracePeriod ?? known.benefitRevocationGracePeriod,
    // Null is a choice: the retries of the installation.
    dunningRetryAfterDays:
      asked.dunningRetryAfterDays === undefined ? known.dunningRetryAfterDays : asked.dunningRetryAfterDays,
  }
}
