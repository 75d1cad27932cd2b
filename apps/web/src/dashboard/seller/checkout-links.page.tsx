import { IconPlus } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { CheckoutLink } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import { ApiCallButton } from '../parts/api-call.tsx'
import { apiCall, curlOf } from '../parts/api-command.ts'
import { BillingTable, type Column } from '../parts/billing-table.tsx'
import { ButtonLink } from '../parts/button-link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Day } from '../parts/time.tsx'
import { listQuery } from '../queries/billing.ts'
import { checkoutLinksQueryOf, type Sort } from './checkout-links.search.ts'
import { checkoutLinksWords as words } from './checkout-links.texts.ts'
import { useProductChoices } from './list-choices.ts'

const route = getRouteApi('/dashboard/$slug/checkout-links')

/** Addresses that begin a checkout for whoever opens them. */
export function CheckoutLinksPage() {
  const { billing, slug, may } = useSeller()
  const search = route.useSearch()
  const products = useProductChoices(search.product)
  const exampleId = products[0]?.value ?? '00000000-0000-4000-8000-000000000000'
  const createCall = apiCall('createCheckoutLink', { products: [exampleId], label: 'Home page' })
  const create = may('product', 'write') ? (
    <ButtonLink
      to="/dashboard/$slug/checkout-links/$linkId"
      params={{ slug, linkId: 'new' }}
      leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
    >
      {words.create}
    </ButtonLink>
  ) : null

  const columns: readonly Column<CheckoutLink, Sort>[] = [
    {
      name: 'label',
      label: words.columns.label,
      sorts: ['label', '-label'],
      card: 'wide',
      cell: ({ id, label }, cameFrom) => (
        <Link
          to="/dashboard/$slug/checkout-links/$linkId"
          params={{ slug, linkId: id }}
          state={cameFrom}
          className="row-link"
        >
          {label ?? words.noLabel}
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
      name: 'discount',
      label: words.columns.discount,
      size: 'large',
      card: 'start',
      cell: ({ discount }) => discount?.name,
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
                [words.calls.list]: apiCall('listCheckoutLinks', checkoutLinksQueryOf(search)),
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
          const query = checkoutLinksQueryOf(asked)
          return listQuery(['checkout-links', query], (options) => billing.listCheckoutLinks(query, options))
        }}
        columns={columns}
        keyOf={({ id }) => id}
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
        action={create}
        curl={curlOf(location.origin, createCall)}
      />
    </>
  )
}
