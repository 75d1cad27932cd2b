import { getRouteApi, Link } from '@tanstack/react-router'
import type { CheckoutLink } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import type { Column } from '../../parts/billing-table.tsx'
import { CreateLink } from '../../parts/button-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { createdColumn, ListPage } from '../../parts/list-page.tsx'
import { useProductChoices } from '../lists/list-choices.ts'
import { checkoutLinksQueryOf, type Sort } from './checkout-links.search.ts'
import { checkoutLinksWords as words } from './checkout-links.texts.ts'

const route = getRouteApi('/dashboard/$slug/checkout-links')

/** Links that start a checkout for every visitor. */
export function CheckoutLinksPage() {
  const { billing, slug, may } = useSeller()
  const search = route.useSearch()
  const products = useProductChoices(search.product)
  const exampleId = products[0]?.value ?? '00000000-0000-4000-8000-000000000000'
  const createCall = apiCall('createCheckoutLink', { products: [exampleId], label: 'Home page' })
  const create = may('product', 'write') ? (
    <CreateLink to="/dashboard/$slug/checkout-links/$linkId" params={{ slug, linkId: 'new' }}>
      {words.create}
    </CreateLink>
  ) : null

  const columns: readonly Column<CheckoutLink, Sort>[] = [
    {
      name: 'label',
      label: words.columns.label,
      sorts: ['label', '-label'],
      card: 'wide',
      cell: ({ id, label, products }, cameFrom) => (
        <Link
          to="/dashboard/$slug/checkout-links/$linkId"
          params={{ slug, linkId: id }}
          state={cameFrom}
          className="row-link"
        >
          {label ?? products.map(({ name }) => name).join(', ')}
        </Link>
      ),
    },
    {
      name: 'products',
      label: words.columns.products,
      card: 'wide',
      cell: (link) => link.products.map(({ name }) => name).join(', '),
    },
    {
      name: 'address',
      label: words.columns.address,
      card: 'wide',
      cell: ({ url }) => <Copyable text={url} what={words.address} />,
    },
    {
      name: 'discount',
      label: words.columns.discount,
      size: 'large',
      card: 'start',
      cell: ({ discount }) => discount?.name,
    },
    createdColumn(words.columns.created, 'end'),
  ]

  return (
    <ListPage
      words={words}
      search={search}
      list={{
        name: 'listCheckoutLinks',
        key: 'checkout-links',
        query: checkoutLinksQueryOf,
        read: billing.listCheckoutLinks,
      }}
      columns={columns}
      narrowings={
        search.product
          ? [
              {
                name: 'product',
                label: words.product,
                value: products.find(({ value }) => value === search.product)?.label ?? search.product,
              },
            ]
          : []
      }
      needs="product:read"
      create={create}
      example={createCall}
    />
  )
}
