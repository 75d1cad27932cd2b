import { getRouteApi } from '@tanstack/react-router'
import { disputeReasonText } from '@tollgate/contract/billing'
import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import type { Column } from '../../parts/billing-table.tsx'
import { createdColumn, ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Day } from '../../parts/time.tsx'
import { ExportLink } from '../lists/export-link.tsx'
import { amountColumn, statusColumn, statusFilter, useNarrowings } from '../lists/list-parts.tsx'
import { filtersOf } from '../lists/list-search.ts'
import { OwnerLinks, RefundTabs } from './refund-tabs.tsx'
import { disputeStatuses, disputesQueryOf, type Sort } from './refunds.search.ts'
import { refundsWords } from './refunds.texts.ts'

const route = getRouteApi('/dashboard/$slug/refunds/disputes')
const words = refundsWords.disputes

type Listed = BillingAnswer<'listDisputes'>['items'][number]

const columns: readonly Column<Listed, Sort>[] = [
  amountColumn(words.columns.amount, { card: 'start' }, ({ amount, taxAmount, currency }) => (
    <Money amount={amount + taxAmount} currency={currency} />
  )),
  statusColumn(words.columns.status, 'end'),
  {
    name: 'reason',
    label: words.columns.reason,
    card: 'wide',
    cell: ({ reason }) => reason && disputeReasonText(reason),
  },
  {
    name: 'due',
    label: words.columns.due,
    size: 'medium',
    card: 'wide',
    cardLabel: words.columns.due,
    cell: ({ evidenceDueBy, resolved, pastDue }) =>
      evidenceDueBy && !resolved ? (
        <>
          <Day at={evidenceDueBy} /> {pastDue ? words.pastDue : null}
        </>
      ) : null,
  },
  {
    name: 'links',
    label: words.columns.links,
    card: 'start',
    cell: (dispute) => <OwnerLinks of={dispute} />,
  },
  createdColumn(words.columns.created, 'end'),
]

/** All disputes. */
export function DisputesPage() {
  const { billing } = useSeller()
  const search = route.useSearch()
  return (
    <ListPage
      words={words}
      text={words.answer}
      tabs={<RefundTabs />}
      search={search}
      list={{ name: 'listDisputes', key: 'disputes', query: disputesQueryOf, read: billing.listDisputes }}
      columns={columns}
      filters={[statusFilter(words, search.status, disputeStatuses)]}
      narrowings={useNarrowings(words, search)}
      needs="order:read"
      extra={<ExportLink name="exportDisputes" query={filtersOf(disputesQueryOf(search))} />}
      begin={null}
    />
  )
}
