import administration from '../admin/locales/de.json' with { type: 'json' }
import type { DashboardTexts } from '../language.ts'
import overview from '../overview/locales/de.json' with { type: 'json' }
import activity from '../seller/locales/activity/de.json' with { type: 'json' }
import checkoutLinks from '../seller/locales/checkout-links/de.json' with { type: 'json' }
import customFields from '../seller/locales/custom-fields/de.json' with { type: 'json' }
import customers from '../seller/locales/customers/de.json' with { type: 'json' }
import discounts from '../seller/locales/discounts/de.json' with { type: 'json' }
import documents from '../seller/locales/documents/de.json' with { type: 'json' }
import meters from '../seller/locales/meters/de.json' with { type: 'json' }
import orders from '../seller/locales/orders/de.json' with { type: 'json' }
import payments from '../seller/locales/payments/de.json' with { type: 'json' }
import processors from '../seller/locales/processors/de.json' with { type: 'json' }
import products from '../seller/locales/products/de.json' with { type: 'json' }
import refunds from '../seller/locales/refunds/de.json' with { type: 'json' }
import settings from '../seller/locales/settings/de.json' with { type: 'json' }
import subscriptions from '../seller/locales/subscriptions/de.json' with { type: 'json' }
import tax from '../seller/locales/tax/de.json' with { type: 'json' }
import tokens from '../seller/locales/tokens/de.json' with { type: 'json' }
import webhooks from '../seller/locales/webhooks/de.json' with { type: 'json' }
import brand from './brand/de.json' with { type: 'json' }
import clock from './clock/de.json' with { type: 'json' }
import frame from './de.json' with { type: 'json' }
import picture from './picture/de.json' with { type: 'json' }
import synonyms from './synonyms/de.json' with { type: 'json' }

/** German. A script of its own, so that no visitor loads a language that they do not read. */
globalThis.dashboardTexts = {
  language: 'de',
  frame,
  administration,
  brand,
  clock,
  overview,
  picture,
  seller: {
    activity,
    checkoutLinks,
    customFields,
    customers,
    discounts,
    documents,
    meters,
    orders,
    payments,
    processors,
    products,
    refunds,
    settings,
    subscriptions,
    tax,
    tokens,
    webhooks,
  },
  synonyms,
} satisfies DashboardTexts
