import type { BillingBody, Merchant } from '@tollgate/contract/billing-types'
import { type BrandDraft, brandDraft, brandValues } from '../../parts/brand-draft.ts'

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
  readonly featureSettings: NonNullable<Merchant['featureSettings']>
}

export const settingsDraft = (merchant: Merchant): SettingsDraft => ({
  email: merchant.email ?? '',
  website: merchant.website ?? '',
  socials: merchant.socials.map((social, id) => ({ id, ...social })),
  brand: brandDraft(merchant.brand),
  defaultCurrency: merchant.defaultPresentmentCurrency ?? '',
  subscriptionSettings: merchant.subscriptionSettings,
  featureSettings: merchant.featureSettings ?? { issueFundingEnabled: false, usageBasedBillingEnabled: false },
})

/** A line for one more profile. */
export const addSocial = (socials: readonly SocialLine[]): readonly SocialLine[] => [
  ...socials,
  { id: Math.max(0, ...socials.map(({ id }) => id)) + 1, platform: 'other', url: '' },
]

/** What is sent: lines without an address are none; what is empty is taken away. */
export const settingsValues = (draft: SettingsDraft): Omit<BillingBody<'updateMerchant'>, 'details'> => ({
  email: draft.email.trim() || null,
  website: draft.website.trim() || null,
  socials: draft.socials.map(({ platform, url }) => ({ platform, url: url.trim() })),
  brand: brandValues(draft.brand),
  defaultPresentmentCurrency: draft.defaultCurrency || null,
  subscriptionSettings: draft.subscriptionSettings,
  featureSettings: draft.featureSettings,
})
