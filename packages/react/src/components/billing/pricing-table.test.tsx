import { createTollgateClient } from '@tollgate/client'
import type { Storefront } from '@tollgate/contract/billing-types'
import { noBrand } from '@tollgate/contract/brand'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Checkout, PricingTable, TollgateProvider } from '../../index.ts'
import * as locales from '../../locales/index.ts'
import { comparedFeatures } from './compare-table.tsx'
import { columnsFor, popularOf, savingOf, shownBy } from './offers.ts'

type Offer = Storefront['products'][number]

const offer = (
  name: string,
  recurringInterval: Offer['recurringInterval'],
  priceAmount: number,
  priceCurrency = 'usd',
) =>
  ({
    id: `${name}-${recurringInterval}`,
    name,
    description: null,
    recurringInterval,
    isRecurring: recurringInterval !== null,
    prices: [{ amountType: 'fixed', priceAmount, priceCurrency }],
    benefits: [],
    medias: [],
    features: [],
    isHighlighted: false,
  }) as unknown as Offer // as much of a product as a pricing table looks at

describe('the yearly saving', () => {
  test.each([
    ['two of twelve months', [offer('Pro', 'month', 1900)], offer('Pro', 'year', 19_000), 0.16],
    ['nothing', [offer('Pro', 'month', 1000)], offer('Pro', 'year', 12_000), 0],
    ['nothing where it costs more', [offer('Pro', 'month', 1000)], offer('Pro', 'year', 13_000), 0],
    ['by the same name', [offer('Pro', 'month', 1000), offer('Team', 'month', 9000)], offer('PRO', 'year', 6000), 0.5],
    [
      'by the name it begins with',
      [offer('Pro', 'month', 1000), offer('Pro Team', 'month', 2000), offer('P', 'month', 1)],
      offer('Pro Team, by the year', 'year', 12_000),
      0.5,
    ],
    ['nothing by half a name', [offer('Pro', 'month', 1000), offer('B', 'month', 1)], offer('Prose', 'year', 6000), 0],
    ['of the only two', [offer('Pro monthly', 'month', 1000)], offer('Pro yearly', 'year', 9000), 0.25],
    ['nothing in another currency', [offer('Pro', 'month', 1000, 'eur')], offer('Pro', 'year', 6000), 0],
    ['nothing beside what is free', [offer('Pro', 'month', 0)], offer('Pro', 'year', 6000), 0],
    ['nothing of a month', [offer('Pro', 'month', 1000)], offer('Pro', 'month', 900), 0],
    ['nothing of several others', [offer('A', 'month', 1000), offer('B', 'month', 900)], offer('C', 'year', 6000), 0],
  ])('is %s', (_, others, product, saving) => {
    expect(savingOf(product, [...others, product])).toBe(saving)
  })
})

const draw = (element: ReactElement, messages = locales.en) =>
  renderToString(
    <TollgateProvider client={createTollgateClient()} messages={messages}>
      {element}
    </TollgateProvider>,
  )

const storefrontOf = (products: Storefront['products']): Storefront => ({
  organization: { name: 'Northwind', slug: 'north', avatarUrl: null, website: null, brand: noBrand },
  products,
  currentProductIds: [],
})

const free = (interval: Offer['recurringInterval']): Offer => ({
  ...offer('Free', interval, 0),
  prices: [{ amountType: 'free' } as Offer['prices'][number]], // as much of a price as is looked at
})

test('plans come before one-time products, each in the seller’s order', () => {
  const products = [
    offer('Tea', null, 500),
    offer('Pro', 'month', 1900),
    offer('Cup', null, 900),
    offer('A', 'year', 1),
  ]

  const html = draw(<PricingTable organization="north" storefront={storefrontOf(products)} />)

  const headings = [...html.matchAll(/<h([23])[^>]*>([^<]+)</g)].map(([, level, text]) => `${level} ${text}`)
  expect(headings).toEqual(['2 Plans', '3 Pro', '3 A', '2 One-time purchases', '3 Tea', '3 Cup'])
})

test.each([
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 4],
  [5, 3],
  [6, 3],
  [7, 4],
])('%i cards stand in %i columns', (count, columns) => {
  const products = Array.from({ length: count }, (_, index) => offer(`Plan ${index}`, 'month', 1000))

  expect(columnsFor(products, 'month')).toBe(columns)
  expect(columnsFor([...products, offer('Plan 0', 'year', 9000)], 'month')).toBe(columns)
  expect(columnsFor([...products, offer('Plan 0', 'year', 9000)], 'year')).toBe(1)
})

describe('the table that compares plans', () => {
  const having = (name: string, ...features: string[]): Offer => ({ ...offer(name, 'month', 1000), features })

  test('has each feature once, first those that most plans have', () => {
    expect(
      comparedFeatures([
        having('A', 'Maps'),
        having('B', 'Crews', 'Maps', 'Crews'),
        having('C', 'Crews', 'Maps', 'API'),
      ]),
    ).toEqual(['Maps', 'Crews', 'API'])
  })

  test.each([
    ['two plans', [having('A', 'Maps'), having('B', 'Maps', 'Crews')]],
    ['nothing in common', [having('A', 'Maps'), having('B', 'Crews'), having('C')]],
    ['everything in common', [having('A', 'Maps'), having('B', 'Maps'), having('C', 'Maps')]],
  ])('is left out for %s', (_, plans) => {
    expect(comparedFeatures(plans)).toEqual([])
  })
})

test('the most popular plan has the badge and the one primary button', () => {
  const popular: Offer = { ...offer('Pro', 'month', 1900), isHighlighted: true, features: ['Every route'] }

  const html = draw(
    <PricingTable organization="north" storefront={storefrontOf([offer('Starter', 'month', 900), popular])} />,
  )

  expect(html.match(/Most popular/g)).toHaveLength(1)
  expect(html.match(/data-look="primary"/g)).toHaveLength(1)
  expect(html).toContain('<li>Every route</li>')
})

test('one card stands out at a time, beside the quiet mark of the visitor’s plan', () => {
  const highlighted = (given: Offer): Offer => ({ ...given, isHighlighted: true })
  const products = [
    offer('Starter', 'month', 900),
    highlighted(offer('Pro', 'month', 1900)),
    highlighted(offer('Team', 'month', 4900)),
    highlighted(offer('Team', 'year', 49_000)),
    highlighted(offer('Atlas', null, 900)),
  ]
  const storefront: Storefront = { ...storefrontOf(products), currentProductIds: ['Starter-month'] }

  const html = draw(<PricingTable organization="north" storefront={storefront} />)

  expect([...popularOf(products)]).toEqual(['Pro-month', 'Team-year'])
  expect([...popularOf(products.slice(4))]).toEqual(['Atlas-null'])
  expect(html.match(/data-look="primary"/g)).toHaveLength(2)
  expect(html.match(/Most popular/g)).toHaveLength(2)
  expect(html).toContain('Your plan')
})

test.each([
  ['a paid plan by its own interval', offer('Pro', 'month', 1900), [], 'month'],
  ['what is bought once by both', offer('Tea', null, 500), [], undefined],
  ['a free plan by both', free('month'), [offer('Pro', 'year', 19_000)], undefined],
  ['one of two free plans by its own', free('year'), [free('month')], 'year'],
  ['a free plan by both beside what is free once', free('month'), [free(null)], undefined],
])('the choice of an interval shows %s', (_, product, others, expected) => {
  expect(shownBy(product, [product, ...others])).toBe(expected)
})

test('a part that loads first keeps its place and shows it, in every language', () => {
  for (const messages of Object.values(locales)) {
    expect(draw(<PricingTable organization="northwind" />, messages as typeof locales.en)).toContain(
      messages.pricing.loading,
    )
    expect(draw(<Checkout clientSecret="secret" />, messages as typeof locales.en)).toContain(messages.checkout.loading)
  }
})

test('a product leads to its checkout by a form of its own, which needs no script', () => {
  const storefront: Storefront = {
    organization: { name: 'Northwind', slug: 'north wind', avatarUrl: null, website: null, brand: noBrand },
    products: [offer('Pro', 'month', 1900), offer('Atlas', null, 900)],
    currentProductIds: ['Pro-month'],
  }

  const html = draw(<PricingTable organization="north wind" storefront={storefront} baseURL="https://pay.example" />)

  expect(html.match(/<form/g)).toHaveLength(1)
  expect(html).toContain('action="https://pay.example/pricing/north%20wind"')
  expect(html).toContain('name="productId" value="Atlas-null"')
  expect(html).toContain('Your plan')
})
