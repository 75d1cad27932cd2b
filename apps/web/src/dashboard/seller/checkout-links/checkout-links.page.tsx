import { Link } from '@tanstack/react-router'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { Copyable } from '../../parts/copy.tsx'
import { bulkRemoval, type Columns, createdColumn, ListPage, useListSearch } from '../../parts/list-page.tsx'
import { useProductChoices } from '../lists/list-choices.ts'
import { checkoutLinks } from './checkout-links.resource.ts'
import { checkoutLinksWords as words } from './checkout-links.texts.ts'

/** Links that start a checkout for every visitor. */
export function CheckoutLinksPage() {
  const { billing, slug } = useSeller()
  const search = useListSearch(checkoutLinks)
  const products = useProductChoices(search.product)
  const exampleId = products[0]?.value ?? '00000000-0000-4000-8000-000000000000'
  const createCall = apiCall('createCheckoutLink', { products: [exampleId], label: 'Home page' })

  const columns: Columns<typeof checkoutLinks> = [
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
      cell: ({ url }) => <Copyable text={url} what={words.address} shown={new URL(url).pathname} />,
    },
    {
      name: 'discount',
      label: words.columns.discount,
      size: 'medium',
      card: 'start',
      cell: ({ discount }) => discount?.name,
    },
    createdColumn(words.columns.created, 'end'),
  ]

  return (
    <ListPage
      resource={checkoutLinks}
      words={words}
      columns={columns}
      bulk={{
        nameOf: ({ label, products }) => label ?? products.map(({ name }) => name).join(', '),
        actions: [bulkRemoval(billing.deleteCheckoutLink, words.bulk)],
      }}
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
      example={createCall}
    />
  )
}
