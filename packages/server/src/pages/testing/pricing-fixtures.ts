import type { Storefront } from '@tollgate/contract/billing-types'
import { noBrand } from '@tollgate/contract/brand'
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
          organization: {
            name: 'Northwind Traders',
            slug: 'northwind',
            avatarUrl: null,
            website: null,
            brand: noBrand,
          },
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
const plan = (number: number, name: string, amount: number, features: string[], rest: object = {}) =>
  offer(20 + number, name, 'month', [fixed(amount)], {
    description: `${name}, for a crew of its size.`,
    features,
    ...rest,
  })
const common = ['Charts of every coast', 'Tide tables']
const seven = [
  plan(1, 'Dinghy', 500, common.slice(0, 1)),
  plan(2, 'Sloop', 1900, common),
  plan(3, 'Ketch', 3900, [...common, 'Ten berths'], { isHighlighted: true }),
  plan(4, 'Schooner', 5900, [...common, 'Ten berths', 'Answers within a day']),
  plan(5, 'Barque', 7900, [...common, 'Twenty berths', 'Answers within a day']),
  plan(6, 'Clipper', 9900, [...common, 'Twenty berths', 'Answers within an hour']),
  plan(7, 'Fleet', 19_900, [...common, 'All berths', 'Answers within an hour']),
]
const everything = [monthly, yearly, fleet, usage, free, donation]

export const pricingFixtures: Readonly<Record<string, Readonly<Record<string, Fixture>>>> = {
  '/pricing/northwind': {
    everything: pricing(everything),
    one: pricing(seven.slice(1, 2)),
    two: pricing(seven.slice(1, 3)),
    three: pricing([...seven.slice(1, 4), donation]),
    four: pricing(seven.slice(0, 4), { currentProductIds: [seven[1]?.id ?? ''] }),
    five: pricing(seven.slice(0, 5)),
    six: pricing(seven.slice(0, 6)),
    seven: pricing(seven),
    months: pricing([monthly, fleet]),
    single: pricing([donation]),
    currencies: pricing(everything, { currency: 'eur', currencies: ['usd', 'eur', 'jpy'] }),
    current: pricing([monthly, yearly], { currentProductIds: [monthly.id] }),
    gone: withState(pricing([monthly, fleet]), { form: 'pricing-choose', code: 'ResourceNotFound' }),
    nothing: pricing([]),
    long: pricing([offer(9, longName, 'year', [fixed(99_999_999)], { description: longName.repeat(3) }), donation], {
      organization: { name: longName, slug: 'northwind', avatarUrl: null, website: null, brand: noBrand },
    }),
  },
}
