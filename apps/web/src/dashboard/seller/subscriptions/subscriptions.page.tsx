import { Link } from '@tanstack/react-router'
import { useSeller } from '../../context.ts'
import { type Columns, createdColumn, ListPage, useListSearch } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Day } from '../../parts/time.tsx'
import { useProductChoices } from '../lists/list-choices.ts'
import { FirstSale, firstCheckout } from '../lists/list-first-sale.tsx'
import { amountColumn, statusColumn, statusFilter, useNarrowings } from '../lists/list-parts.tsx'
import { comingText } from './coming-charge.ts'
import { MissedPeriods } from './missed-periods.tsx'
import { NewSubscriptionButton } from './new-subscription.tsx'
import { RecurringRevenue } from './recurring-revenue.tsx'
import { SubscriptionViews } from './subscription-views.tsx'
import { hasStatus, statuses, subscriptions } from './subscriptions.resource.ts'
import { subscriptionsWords as words } from './subscriptions.texts.ts'

/** All subscriptions, active and ended. */
export function SubscriptionsPage() {
  const { slug } = useSeller()
  const search = useListSearch(subscriptions)
  const products = useProductChoices(search.product)

  const { columns: labels } = words
  const columns: Columns<typeof subscriptions> = [
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
    {
      name: 'product',
      label: labels.product,
      card: 'end',
      cell: ({ product, quantity }) => (quantity > 1 ? `${quantity} × ${product.name}` : product.name),
    },
    statusColumn(labels.status, 'start'),
    amountColumn(labels.amount, { align: 'end', card: 'end', size: 'large' }, (subscription) => {
      const { amount, currency, recurringInterval } = subscription
      const coming = comingText(subscription)
      return (
        <>
          <Money amount={amount} currency={currency} /> <span className="quiet">{words.per[recurringInterval]}</span>
          {coming ? <span className="quiet block">{coming}</span> : null}
        </>
      )
    }),
    search.stage === 'past_due'
      ? overdueColumn
      : search.stage === 'over'
        ? endedColumn
        : {
            name: 'ends',
            label: labels.ends,
            sorts: ['ends', '-ends'],
            size: 'medium',
            card: 'wide',
            cardLabel: labels.ends,
            cell: ({ currentPeriodEnd, cancelAtPeriodEnd, endedAt }) =>
              currentPeriodEnd && !endedAt ? (
                <>
                  <Day at={currentPeriodEnd} />
                  {cancelAtPeriodEnd ? <span className="quiet block">{words.endsWithPeriod}</span> : null}
                </>
              ) : null,
          },
    { ...createdColumn(labels.created, 'wide'), cardLabel: labels.created },
  ]

  return (
    <ListPage
      resource={subscriptions}
      words={words}
      columns={columns}
      bulk={{ nameOf: ({ customer, product }) => `${product.name}, ${customer.name || customer.email}` }}
      tabs={
        <>
          <MissedPeriods />
          <SubscriptionViews search={search} />
          <RecurringRevenue filters={subscriptions.filtersOf(search)} />
        </>
      }
      filters={[
        { name: 'stage', label: words.stage, all: words.everyStage, options: [], isTab: true },
        ...(hasStatus(search.stage) ? [] : [{ ...statusFilter(words, statuses), another: words.anotherStatus }]),
        { name: 'product', label: words.product, all: words.everyProduct, options: products },
      ]}
      narrowings={useNarrowings(words, search)}
      create={<NewSubscriptionButton />}
      begin={<FirstSale />}
      example={firstCheckout}
    />
  )
}

/** In place of the period's end, where the subscription is over. */
const endedColumn: Columns<typeof subscriptions>[number] = {
  name: 'ended',
  label: words.columns.ended,
  size: 'medium',
  card: 'wide',
  cardLabel: words.columns.ended,
  cell: ({ endedAt }) => (endedAt ? <Day at={endedAt} /> : null),
}

/** In place of the period's end, where the payment of the period is overdue. */
const overdueColumn: Columns<typeof subscriptions>[number] = {
  name: 'overdue',
  label: words.columns.overdue,
  sorts: ['overdue', '-overdue'],
  size: 'medium',
  card: 'wide',
  cardLabel: words.columns.overdue,
  cell: ({ pastDueAt }) => (pastDueAt ? <Day at={pastDueAt} /> : null),
}
