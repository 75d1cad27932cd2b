import type { BillingBody } from '@tollgate/contract/billing-types'
import type { Brand } from '@tollgate/contract/brand'
import { proven } from '../foundation/proof/proven.ts'

/** The demo organization's look, products and buyers. Amounts are cents. */

/** The red of a route on a paper map. */
export const demoBrand = { color: '#b23a1e', background: '#fdf8f0', radius: 'soft' } satisfies Brand

export const demoMeter: BillingBody<'createMeter'> = {
  name: 'API calls',
  filter: { conjunction: 'and', clauses: [{ property: 'name', operator: 'eq', value: 'api.call' }] },
  aggregation: { func: 'count' },
}

export const demoFields = {
  teamSize: {
    type: 'select',
    slug: 'team-size',
    name: 'Team size',
    properties: {
      formLabel: 'How many are you?',
      options: [
        { value: '1', label: 'Just me' },
        { value: '2-10', label: '2 to 10' },
        { value: '11+', label: 'More than 10' },
      ],
    },
  },
  source: {
    type: 'text',
    slug: 'source',
    name: 'Source',
    properties: { formLabel: 'How did you hear of us?', formPlaceholder: 'A friend, a search …', maxLength: 200 },
  },
  terms: {
    type: 'checkbox',
    slug: 'terms',
    name: 'Terms',
    properties: { formLabel: 'I agree to the terms of the licence' },
  },
} satisfies Record<string, BillingBody<'createCustomField'>>

const usd = (priceAmount: number) => ({ amountType: 'fixed' as const, priceAmount, priceCurrency: 'usd' })

type Field = keyof typeof demoFields
/** A product, the meter of its usage, and its buyers' questions by name, with whether an answer is required. */
export type DemoProduct = BillingBody<'createProduct'> & {
  readonly perCall?: string
  readonly asks?: Partial<Record<Field, boolean>>
}

/** What the plans have, each more than the one before, so that the pricing page can compare them. */
const routes = ['Route planner', 'Offline maps']
const team = [...routes, 'Routes shared with the team', 'Live traffic', 'Export to any navigation device']
const fleet = [...team, 'Vehicle tracking', 'Routes by API', 'Answers within one working day']

export const demoProducts = {
  starter: {
    name: 'Starter',
    description: 'One route planner, free for as long as you like.',
    recurringInterval: 'month',
    prices: [{ amountType: 'free' }],
    features: routes,
  },
  pro: {
    name: 'Pro',
    description: 'Every route, shared with the whole team.',
    recurringInterval: 'month',
    prices: [usd(1900)],
    features: team,
    isHighlighted: true,
    asks: { teamSize: false, source: false },
  },
  proYearly: {
    name: 'Pro, by the year',
    description: 'Every route, shared with the whole team.',
    recurringInterval: 'year',
    prices: [usd(19000)],
    features: team,
    isHighlighted: true,
    asks: { teamSize: false },
  },
  fleet: {
    name: 'Fleet',
    description: 'All vehicles on one map, with someone to call.',
    recurringInterval: 'month',
    prices: [usd(4900)],
    features: fleet,
    trialInterval: 'day',
    trialIntervalCount: 14,
  },
  fleetYearly: {
    name: 'Fleet, by the year',
    description: 'All vehicles on one map, with someone to call.',
    recurringInterval: 'year',
    prices: [usd(49000)],
    features: fleet,
    trialInterval: 'day',
    trialIntervalCount: 14,
  },
  api: {
    name: 'API',
    description: 'Routes for your own software: a fee, and a little for each call.',
    recurringInterval: 'month',
    prices: [usd(900)],
    perCall: '0.4',
    features: ['Routes by API', 'Live traffic', 'Test keys'],
  },
  atlas: {
    name: 'The Northwind atlas',
    description: 'All maps as one file, yours for good.',
    recurringInterval: null,
    prices: [usd(4900)],
    features: ['840 pages as PDF', 'Every later edition'],
    asks: { terms: true },
  },
  tip: {
    name: 'Buy us a tea',
    description: 'As much as you like.',
    recurringInterval: null,
    prices: [
      { amountType: 'custom', priceCurrency: 'usd', minimumAmount: 100, maximumAmount: 50_000, presetAmount: 500 },
    ],
  },
} satisfies Record<string, DemoProduct>

export type DemoProductName = keyof typeof demoProducts

export const demoDiscounts = [
  { name: 'Welcome', code: 'WELCOME', type: 'percentage', basisPoints: 2000, duration: 'once' },
  {
    name: 'Friends',
    code: 'FRIENDS',
    type: 'fixed',
    amount: 500,
    currency: 'usd',
    duration: 'repeating',
    durationInMonths: 3,
  },
  {
    name: 'Teachers',
    code: 'TEACH50',
    type: 'percentage',
    basisPoints: 5000,
    duration: 'forever',
    maxRedemptionsPerCustomer: 1,
  },
  {
    name: 'First hundred',
    code: 'FIRST100',
    type: 'percentage',
    basisPoints: 1500,
    duration: 'once',
    maxRedemptions: 100,
  },
] satisfies BillingBody<'createDiscount'>[]

const firstNames = 'Amelia Bruno Chiara Daan Elif Farid Greta Hugo Ines Jonas Kaja Luca'.split(' ')
const lastNames = 'Andersen Bauer Costa Dubois Eriksson Fischer García Horvat Ivanov Jansen'.split(' ')
const places = [
  { country: 'DE', city: 'Berlin', postalCode: '10115', line1: 'Torstraße 12' },
  { country: 'FR', city: 'Lyon', postalCode: '69002', line1: '4 rue de la République' },
  { country: 'NL', city: 'Utrecht', postalCode: '3511', line1: 'Oudegracht 81' },
  { country: 'SE', city: 'Malmö', postalCode: '211 20', line1: 'Södergatan 9' },
  { country: 'ES', city: 'Valencia', postalCode: '46002', line1: 'Calle Colón 3' },
  { country: 'US', city: 'Portland', postalCode: '97204', line1: '500 SW Main St', state: 'OR' },
  { country: 'GB', city: 'Leeds', postalCode: 'LS1 4DY', line1: '2 Park Row' },
] as const

export const demoCustomerCount = 60

/** A buyer at the demo organization; each number is another person. */
export function demoCustomer(number: number) {
  const first = firstNames[number % firstNames.length]
  const last = lastNames[(number * 7 + Math.floor(number / 12)) % lastNames.length]
  const plain = `${first}.${last}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase()
  return {
    name: `${first} ${last}`,
    email: `${plain}.${number}@customers.example`,
    externalId: `user_${number + 1}`,
    billingAddress: places[number % places.length],
  }
}

/** A purchase, or an attempt. */
export type DemoSale = {
  readonly hoursAgo: number
  readonly product: DemoProductName
  readonly customer: number
  readonly code?: string
  readonly amount?: number
  /** `declined`: at first; `left`: never paid. */
  readonly course: 'paid' | 'declined' | 'left'
  /** The refunded amount, in cents before tax. */
  readonly refund?: number
}

/**
 * A year of sales, oldest first. Monthly subscriptions begin within the last four weeks, so that no period has ended.
 * No buyer has two subscriptions.
 */
export function demoSales(): DemoSale[] {
  const subscribed: DemoSale[] = Array.from({ length: 46 }, (_, index) => {
    const product = proven(subscriptions[index % subscriptions.length], 'the remainder is a place in the list')
    const daysAgo = product === 'proYearly' ? 350 - index * 7 : 27 - (index % 27)
    return {
      hoursAgo: daysAgo * 24 - (index % 9),
      product,
      customer: index,
      course: 'paid',
      ...(index % 5 === 0 && product !== 'starter' && { code: 'WELCOME' }),
    }
  })
  const once: DemoSale[] = Array.from({ length: 84 }, (_, index) => ({
    hoursAgo: (360 - Math.floor((index * 359) / 83)) * 24 - (index % 11),
    product: index % 3 === 0 ? 'tip' : 'atlas',
    customer: (index * 17) % demoCustomerCount,
    course: index % 11 === 5 ? 'declined' : index % 9 === 4 ? 'left' : 'paid',
    ...(index % 3 === 0 && { amount: 300 + (index % 7) * 250 }),
    ...(index % 8 === 1 && { code: 'FIRST100' }),
    ...(index === 20 && { refund: 1500 }),
    ...(index === 61 && { refund: 4900 }),
  }))
  return [...subscribed, ...once].sort((a, b) => b.hoursAgo - a.hoursAgo)
}

const subscriptions = ['proYearly', 'pro', 'proYearly', 'api', 'pro', 'starter'] as const
