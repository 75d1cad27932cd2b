import { getRouteApi } from '@tanstack/react-router'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import type { Column } from '../../parts/billing-table.tsx'
import { ButtonLink } from '../../parts/button-link.tsx'
import { createdColumn, ListPage } from '../../parts/list-page.tsx'
import { Money, moneyText } from '../../parts/money.tsx'
import { ExportLink } from '../lists/export-link.tsx'
import { amountColumn, statusColumn, statusFilter, useNarrowings } from '../lists/list-parts.tsx'
import { filtersOf } from '../lists/list-search.ts'
import { OwnerLinks, RefundTabs } from './refund-tabs.tsx'
import { refundStatuses, refundsQueryOf, type Sort } from './refunds.search.ts'
import { refundsWords as words } from './refunds.texts.ts'

const route = getRouteApi('/dashboard/$slug/refunds')

type Listed = BillingAnswer<'listRefunds'>['items'][number]

const columns: readonly Column<Listed, Sort>[] = [
  amountColumn(words.columns.amount, { card: 'start' }, ({ amount, taxAmount, currency }) => (
    <>
      <Money amount={amount + taxAmount} currency={currency} />
      {taxAmount > 0 ? <span className="quiet block">{words.tax(moneyText(taxAmount, currency))}</span> : null}
    </>
  )),
  statusColumn(words.columns.status, 'end'),
  {
    name: 'reason',
    label: words.columns.reason,
    card: 'wide',
    cell: ({ reason, failureReason }) => (
      <>
        {words.reasons[reason]}
        {failureReason ? (
          <span className="quiet block wrong-line" title={failureReason}>
            {failureReason}
          </span>
        ) : null}
      </>
    ),
  },
  {
    name: 'links',
    label: words.columns.links,
    card: 'start',
    cell: (refund) => <OwnerLinks of={refund} />,
  },
  createdColumn(words.columns.created, 'end'),
]

/** All refunds, pending ones included. */
export function RefundsPage() {
  const { billing, slug } = useSeller()
  const search = route.useSearch()
  return (
    <ListPage
      words={words}
      tabs={<RefundTabs />}
      search={search}
      list={{ name: 'listRefunds', key: 'refunds', query: refundsQueryOf, read: billing.listRefunds }}
      columns={columns}
      filters={[statusFilter(words, search.status, refundStatuses)]}
      narrowings={useNarrowings(words, search)}
      needs="order:read"
      extra={<ExportLink name="exportRefunds" query={filtersOf(refundsQueryOf(search))} />}
      begin={
        <ButtonLink to="/dashboard/$slug/orders" params={{ slug }} variant="default">
          {words.toOrders}
        </ButtonLink>
      }
    />
  )
}
