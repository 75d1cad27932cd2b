import type { Storefront } from '@tollgate/contract/billing-types'
import type { PageState } from '@tollgate/contract/pages'
import type { Visit } from '../visit.ts'
import { donation, fixed, free, metered, monthly, offer, usage, yearly } from './checkout-fixtures.ts'
import { type Fixture, longName, withState } from './fixture-data.ts'

const pricing =
  (products: Storefront['products'], rest: Partial<Storefront> = {}) =>
  (visit: Visit, state?: PageState) =>
    visit.data(
      'pricing',
      {
        storefront: {
          organization: { name: 'Northwind Traders', slug: 'northwind', avatarUrl: null, website: null },
          products,
          currentProductIds: [],
          ...rest,
        },
      },
      state,
    )

const fleet = offer(8, 'Fleet', 'month', [fixed(9900), metered('0.1', 'API calls')], {
  description: 'For crews of any size.',
})
const everything = [monthly, yearly, fleet, usage, free, donation]

export const pricingFixtures: Readonly<Record<string, Readonly<Record<string, Fixture>>>> = {
  '/pricing/northwind': {
    everything: pricing(everything),
    months: pricing([monthly, fleet]),
    single: pricing([donation]),
    current: pricing([monthly, yearly], { currentProductIds: [monthly.id] }),
    gone: withState(pricing([monthly, fleet]), { form: 'pricing-choose', code: 'ResourceNotFound' }),
    nothing: pricing([]),
    long: pricing([offer(9, longName, 'year', [fixed(99_999_999)], { description: longName.repeat(3) }), donation], {
      organization: { name: longName, slug: 'northwind', avatarUrl: null, website: null },
    }),
  },
}
