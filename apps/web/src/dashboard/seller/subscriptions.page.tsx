import { getRouteApi, Link } from '@tanstack/react-router'
import type { Subscription } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import type { Column } from '../parts/billing-table.tsx'
import { createdColumn, ListPage } from '../parts/list-page.tsx'
import { Money } from '../parts/money.tsx'
import { Status } from '../parts/status.tsx'
import { Day } from '../parts/time.tsx'
import { texts } from '../texts.ts'
import { comingText } from './coming-charge.ts'
import { ExportLink } from './export-link.tsx'
import { useCustomerName, useProductChoices } from './list-choices.ts'
import { FirstSale, firstCheckout } from './list-first-sale.tsx'
import { filtersOf } from './list-search.ts'
import { type Sort, stages, statuses, subscriptionsQueryOf } from './subscriptions.search.ts'
import { subscriptionsWords as words } from './subscriptions.texts.ts'

const route = getRouteApi('/dashboard/$slug/subscriptions')

/** Everything that recurs, running or over. */
export function SubscriptionsPage() {
  const { billing, slug } = useSeller()
  const search = route.useSearch()
  const products = useProductChoices(search.product)
  const customer = useCustomerName(search.customer)

  const { columns: labels } = words
  const columns: readonly Column<Subscription, Sort>[] = [
    {
      name: 'customer',
      label: labels.customer,
      card: 'start',
      cell: ({ id, customer: { name, email } }, cameFrom) => (
        <Link
          to="/dashboard/$slug/subscriptions/$subscriptionId"
          params={{ slug, subscriptionId: id }}
          state={cameFrom}
          className="row-link"
        >
          {name || email}
        </Link>
      ),
    },
    { name: 'product', label: labels.product, card: 'end', cell: ({ product }) => product.name },
    {
      name: 'status',
      label: labels.status,
      size: 'medium',
      card: 'start',
      cell: ({ status }) => <Status value={status} />,
    },
    {
      name: 'amount',
      label: labels.amount,
      sorts: ['-amount', 'amount'],
      size: 'medium',
      align: 'end',
      card: 'end',
      cell: (subscription) => {
        const { amount, currency, recurringInterval } = subscription
        const coming = comingText(subscription)
        return (
          <>
            <Money amount={amount} currency={currency} /> <span className="quiet">{words.per[recurringInterval]}</span>
            {coming ? <span className="quiet block">{coming}</span> : null}
          </>
        )
      },
    },
    {
      name: 'ends',
      label: labels.ends,
      sorts: ['ends', '-ends'],
      size: 'medium',
      card: 'wide',
      cardLabel: labels.ends,
      cell: ({ currentPeriodEnd, cancelAtPeriodEnd, endedAt }) =>
        currentPeriodEnd && !endedAt ? (
          <>
            {cancelAtPeriodEnd ? `${words.endsWithPeriod} ` : null}
            <Day at={currentPeriodEnd} />
          </>
        ) : null,
    },
    { ...createdColumn(labels.created, 'wide'), cardLabel: labels.created },
  ]

  return (
    <ListPage
      words={words}
      search={search}
      list={{
        name: 'listSubscriptions',
        key: 'subscriptions',
        query: subscriptionsQueryOf,
        read: billing.listSubscriptions,
      }}
      columns={columns}
      filters={[
        {
          name: 'stage',
          label: words.stage,
          value: search.stage,
          all: words.everyStage,
          options: stages.map((value) => ({ value, label: words.stages[value] })),
        },
        {
          name: 'status',
          label: words.status,
          value: search.status,
          all: words.everyStatus,
          options: statuses.map((value) => ({ value, label: texts.status[value] })),
        },
        { name: 'product', label: words.product, value: search.product, all: words.everyProduct, options: products },
      ]}
      narrowings={search.customer ? [{ name: 'customer', label: words.customer, value: customer }] : []}
      needs="subscription:read"
      extra={<ExportLink name="exportSubscriptions" query={filtersOf(subscriptionsQueryOf(search))} />}
      begin={<FirstSale />}
      example={firstCheckout}
    />
  )
}
