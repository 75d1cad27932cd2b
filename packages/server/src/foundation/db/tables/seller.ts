import { missedPeriodChoices } from '@tollgate/contract/billing-schemas'
import type {
  Address,
  Merchant,
  ParsedBillingBody,
  TaxBehavior,
  TaxRegistration,
} from '@tollgate/contract/billing-types'
import type { Brand } from '@tollgate/contract/brand'
import { id, json, nullable, oneOf, text, time, timestamps } from './columns.ts'

/** An organization's description of its business, required before it may sell. */
export type SellerDetails = NonNullable<ParsedBillingBody<'updateMerchant'>['details']>

/** Where an organization collects tax, and its legal identity, as far as entered. */
export type StoredTaxSettings = {
  readonly registrations: readonly TaxRegistration[] | null
  readonly legalName: string | null
  readonly address: Address | null
  readonly taxId: string | null
  /** Missing in settings older than the note. */
  readonly documentNote?: string | null
  /** Whether new prices contain their tax; missing in older settings, and then they do not. */
  readonly taxBehavior?: TaxBehavior
}

/** What a seller decides of subscriptions. Settings older than the retries and the grace have none of their own. */
export type StoredSubscriptionSettings = Omit<
  Merchant['subscriptionSettings'],
  'benefitRevocationGracePeriod' | 'dunningRetryAfterDays'
> &
  Partial<Merchant['subscriptionSettings']>

export const sellerTables = {
  /** An organization's seller data, beside its own row; made on its first use of billing. */
  merchant: {
    organizationId: id('organization'),
    /** When the operator approved it for sale; null until then. */
    approvedAt: nullable(time()),
    contactEmail: nullable(text()),
    website: nullable(text()),
    socials: json<Merchant['socials']>(),
    details: nullable(json<SellerDetails>()),
    detailsSubmittedAt: nullable(time()),
    featureSettings: json<NonNullable<Merchant['featureSettings']>>(),
    subscriptionSettings: json<StoredSubscriptionSettings>(),
    /** For buyers without a price in their own currency; null leaves it to the first price of each product. */
    defaultCurrency: nullable(text()),
    /** How its pages look; null keeps the look of the installation. */
    brand: nullable(json<Brand>()),
    /** What the seller chose for periods that nothing billed before renewals existed; null while undecided. */
    missedPeriods: nullable(oneOf(missedPeriodChoices)),
    /** Where it collects tax, and its legal identity; null uses the installation's. */
    taxSettings: nullable(json<StoredTaxSettings>()),
    ...timestamps,
  },
  organizationAccessToken: {
    id: id('organizationAccessToken'),
    organizationId: id('organization'),
    comment: text(),
    tokenHash: text(),
    lastFour: text(),
    scopes: json<string[]>(),
    creatorId: nullable(id('user')),
    expiresAt: nullable(time()),
    lastUsedAt: nullable(time()),
    ...timestamps,
  },
} as const
