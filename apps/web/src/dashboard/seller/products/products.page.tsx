import { Link } from '@tanstack/react-router'
import type { Product } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { type Columns, createdColumn, ListPage } from '../../parts/list-page.tsx'
import { Dot } from '../../parts/status.tsx'
import { priceText } from './price-text.ts'
import styles from './pricing-page.module.css'
import { PricingPage } from './pricing-page.tsx'
import { ArrangeButton } from './product-order.tsx'
import { archives, intervals, products } from './products.resource.ts'
import { productsWords as words } from './products.texts.ts'

/** All products. */
export function ProductsPage() {
  const { billing, slug, may, maySell } = useSeller()
  const price = { amountType: 'fixed', priceAmount: 1900, priceCurrency: 'usd' } as const
  const createCall = apiCall('createProduct', { name: 'Pro', recurringInterval: 'month', prices: [price] })

  const columns: Columns<typeof products> = [
    {
      name: 'name',
      label: words.columns.name,
      sorts: ['name', '-name'],
      card: 'start',
      cell: ({ id, name }, cameFrom) => (
        <Link
          to="/dashboard/$slug/products/$productId"
          params={{ slug, productId: id }}
          state={cameFrom}
          className="row-link"
        >
          {name}
        </Link>
      ),
    },
    { name: 'price', label: words.columns.price, card: 'wide', cell: pricesText },
    {
      name: 'status',
      label: words.columns.status,
      size: 'medium',
      card: 'start',
      cell: ({ isArchived }) =>
        isArchived ? <Dot tone="plain">{words.archived}</Dot> : <Dot tone="ok">{words.forSale}</Dot>,
    },
    createdColumn(words.columns.created, 'end'),
  ]

  return (
    <ListPage
      resource={products}
      words={words}
      text={
        maySell ? (
          <span className={styles.pricing}>
            <PricingPage />
            {may('product', 'write') ? <ArrangeButton /> : null}
          </span>
        ) : null
      }
      columns={columns}
      bulk={{
        nameOf: ({ name }) => name,
        actions: [
          {
            name: 'archive',
            label: words.bulk.archive,
            text: words.bulk.archiveText,
            done: words.bulk.archived,
            fits: ({ isArchived }) => !isArchived,
            run: ({ id }) => billing.updateProduct({ id, isArchived: true }),
          },
          {
            name: 'restore',
            label: words.bulk.restore,
            text: words.bulk.restoreText,
            done: words.bulk.restored,
            fits: ({ isArchived }) => isArchived,
            run: ({ id }) => billing.updateProduct({ id, isArchived: false }),
          },
        ],
      }}
      filters={[
        {
          name: 'archive',
          label: words.archive,
          all: words.archives[''],
          options: archives.map((value) => ({ value, label: words.archives[value] })),
        },
        {
          name: 'interval',
          label: words.interval,
          all: words.intervals[''],
          options: intervals.map((value) => ({ value, label: words.intervals[value] })),
        },
      ]}
      example={createCall}
    />
  )
}

/** The first price, the number of others in its currency, and that of the other currencies. */
function pricesText({ prices }: Product): string {
  const [first] = prices
  if (!first) return ''
  const [currency, ...others] = currenciesOf(prices)
  const further = prices.filter((price) => !('priceCurrency' in price) || price.priceCurrency === currency).length - 1
  return (
    priceText(first) +
    (further > 0 ? words.furtherPrices(further) : '') +
    (others.length > 0 ? ` ${words.furtherCurrencies(others.length)}` : '')
  )
}

const currenciesOf = (prices: Product['prices']): string[] => [
  ...new Set(prices.flatMap((price) => ('priceCurrency' in price ? [price.priceCurrency] : []))),
]
