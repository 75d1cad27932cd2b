import { format, type Message, type Values } from '@tollgate/react'
import type administration from './admin/locales/en.json'
import type brand from './locales/brand/en.json'
import type clock from './locales/clock/en.json'
import type frame from './locales/en.json'
import type picture from './locales/picture/en.json'
import type synonyms from './locales/synonyms/en.json'
import type overview from './overview/locales/en.json'
import type activity from './seller/locales/activity/en.json'
import type checkoutLinks from './seller/locales/checkout-links/en.json'
import type customFields from './seller/locales/custom-fields/en.json'
import type customers from './seller/locales/customers/en.json'
import type discounts from './seller/locales/discounts/en.json'
import type documents from './seller/locales/documents/en.json'
import type meters from './seller/locales/meters/en.json'
import type orders from './seller/locales/orders/en.json'
import type payments from './seller/locales/payments/en.json'
import type processors from './seller/locales/processors/en.json'
import type products from './seller/locales/products/en.json'
import type refunds from './seller/locales/refunds/en.json'
import type settings from './seller/locales/settings/en.json'
import type subscriptions from './seller/locales/subscriptions/en.json'
import type tax from './seller/locales/tax/en.json'
import type tokens from './seller/locales/tokens/en.json'
import type webhooks from './seller/locales/webhooks/en.json'

/** The texts of a language besides English, by area. */
export type DashboardTexts = {
  /** For numbers and dates. */
  readonly language: string
  readonly frame: typeof frame
  readonly administration: typeof administration
  readonly brand: typeof brand
  readonly clock: typeof clock
  readonly overview: typeof overview
  readonly picture: typeof picture
  readonly seller: {
    readonly activity: typeof activity
    readonly checkoutLinks: typeof checkoutLinks
    readonly customFields: typeof customFields
    readonly customers: typeof customers
    readonly discounts: typeof discounts
    readonly documents: typeof documents
    readonly meters: typeof meters
    readonly orders: typeof orders
    readonly payments: typeof payments
    readonly processors: typeof processors
    readonly products: typeof products
    readonly refunds: typeof refunds
    readonly settings: typeof settings
    readonly subscriptions: typeof subscriptions
    readonly tax: typeof tax
    readonly tokens: typeof tokens
    readonly webhooks: typeof webhooks
  }
  readonly synonyms: typeof synonyms
}

declare global {
  /** Set by the script of a language (locales/de.ts), which the document loads before the dashboard's own. */
  var dashboardTexts: DashboardTexts | undefined
}

/** The texts of the document's language; undefined in English, which the dashboard's own scripts hold. */
export const translated = globalThis.dashboardTexts

/** The language of the document. The server chooses it (packages/server/src/pages/dashboard.ts). */
export const language = translated?.language ?? 'en'

/** A text with its placeholders filled in, or the form of a plural that fits `count`. */
export const filled = (message: Message, values: Values): string => format(message, language, values)

/** Numbers as the language writes them. */
export const number = new Intl.NumberFormat(language)

/** A label inside a sentence. German nouns keep their capital. */
export const insideSentence = (label: string): string => (language === 'de' ? label : label.toLowerCase())
