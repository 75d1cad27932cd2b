import { IconPlus } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Product } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import { ApiCallButton } from '../parts/api-call.tsx'
import { apiCall, curlOf } from '../parts/api-command.ts'
import { BillingTable, type Column } from '../parts/billing-table.tsx'
import { ButtonLink } from '../parts/button-link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Dot } from '../parts/status.tsx'
import { Day } from '../parts/time.tsx'
import { listQuery } from '../queries/billing.ts'
import { priceText } from './price-text.ts'
import { archives, intervals, productsQueryOf, type Sort } from './products.search.ts'
import { productsWords as words } from './products.texts.ts'

const route = getRouteApi('/dashboard/$slug/products')

/** What an organization sells. */
export function ProductsPage() {
  const { billing, slug, may } = useSeller()
  const search = route.useSearch()
  const price = { amountType: 'fixed', priceAmount: 1900, priceCurrency: 'usd' } as const
  const createCall = apiCall('createProduct', { name: 'Pro', recurringInterval: 'month', prices: [price] })
  const create = may('product', 'write') ? (
    <ButtonLink
      to="/dashboard/$slug/products/$productId"
      params={{ slug, productId: 'new' }}
      leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
    >
      {words.create}
    </ButtonLink>
  ) : null

  const columns: readonly Column<Product, Sort>[] = [
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
    {
      name: 'created',
      label: words.columns.created,
      sorts: ['-created', 'created'],
      size: 'medium',
      card: 'end',
      cell: ({ createdAt }) => <Day at={createdAt} />,
    },
  ]

  return (
    <>
      <PageHead
        title={words.title}
        actions={
          <>
            <ApiCallButton
              calls={{
                [words.calls.list]: apiCall('listProducts', productsQueryOf(search)),
                [words.calls.create]: createCall,
              }}
            />
            {create}
          </>
        }
      />
      <BillingTable
        words={words}
        search={search}
        sorts={words.sorts}
        query={(asked) => {
          const query = productsQueryOf(asked)
          return listQuery(['products', query], (options) => billing.listProducts(query, options))
        }}
        columns={columns}
        keyOf={({ id }) => id}
        filters={[
          {
            name: 'archive',
            label: words.archive,
            value: search.archive,
            all: words.archives[''],
            options: archives.map((value) => ({ value, label: words.archives[value] })),
          },
          {
            name: 'interval',
            label: words.interval,
            value: search.interval,
            all: words.intervals[''],
            options: intervals.map((value) => ({ value, label: words.intervals[value] })),
          },
        ]}
        needs="product:read"
        action={create}
        curl={curlOf(location.origin, createCall)}
      />
    </>
  )
}

function pricesText({ prices }: Product): string {
  const [first, ...further] = prices
  if (!first) return ''
  return priceText(first) + (further.length > 0 ? words.furtherPrices(further.length) : '')
}
