import type { BillingBody, Merchant } from '@tollgate/contract/billing-types'
import { type BrandDraft, brandDraft, brandValues } from '../../parts/brand-draft.ts'
import { wholeIn } from '../../parts/contract-body.ts'

export type SocialLine = {
  /** Keeps the line apart from the others while it is being typed. */
  readonly id: number
  readonly platform: Merchant['socials'][number]['platform']
  readonly url: string
}

/** The settings as their form holds them. Name and logo are on the organization's profile. */
export type SettingsDraft = {
  readonly email: string
  readonly website: string
  readonly socials: readonly SocialLine[]
  readonly brand: BrandDraft
  /** Empty: the first price of each product names it. */
  readonly defaultCurrency: string
  readonly subscriptionSettings: Merchant['subscriptionSettings']
  /** The days between retries, apart by commas; empty: the installation's. */
  readonly retryDays: string
  readonly featureSettings: NonNullable<Merchant['featureSettings']>
}

export const settingsDraft = (merchant: Merchant): SettingsDraft => ({
  email: merchant.email ?? '',
  website: merchant.website ?? '',
  socials: merchant.socials.map((social, id) => ({ id, ...social })),
  brand: brandDraft(merchant.brand),
  defaultCurrency: merchant.defaultPresentmentCurrency ?? '',
  subscriptionSettings: merchant.subscriptionSettings,
  retryDays: merchant.subscriptionSettings.dunningRetryAfterDays?.join(', ') ?? '',
  featureSettings: merchant.featureSettings ?? { issueFundingEnabled: false, usageBasedBillingEnabled: false },
})

/** A line for one more profile. */
export const addSocial = (socials: readonly SocialLine[]): readonly SocialLine[] => [
  ...socials,
  { id: Math.max(0, ...socials.map(({ id }) => id)) + 1, platform: 'other', url: '' },
]

/** The numbers of a list; NaN, which the schema refuses, for what is none. Null when the list is empty. */
function daysIn(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  return parts.length === 0 ? null : parts.map((part) => wholeIn(part) ?? Number.NaN)
}

/** What is sent: lines without an address are none; what is empty is taken away. */
export const settingsValues = (draft: SettingsDraft): Omit<BillingBody<'updateMerchant'>, 'details'> => ({
  email: draft.email.trim() || null,
  website: draft.website.trim() || null,
  socials: draft.socials.map(({ platform, url }) => ({ platform, url: url.trim() })),
  brand: brandValues(draft.brand),
  defaultPresentmentCurrency: draft.defaultCurrency || null,
  subscriptionSettings: { ...draft.subscriptionSettings, dunningRetryAfterDays: daysIn(draft.retryDays) },
  featureSettings: draft.featureSettings,
})
