import { disputeReasonText } from '../../parts/dispute-reason.ts'
import { type Columns, createdColumn, ListPage, useListSearch } from '../../parts/list-page.tsx'
import { Money } from '../../parts/money.tsx'
import { Day } from '../../parts/time.tsx'
import { amountColumn, statusColumn, statusFilter, useNarrowings } from '../lists/list-parts.tsx'
import { OwnerLinks, RefundTabs } from './refund-tabs.tsx'
import { disputeStatuses, disputes } from './refunds.resource.ts'
import { refundsWords } from './refunds.texts.ts'

const words = refundsWords.disputes

const columns: Columns<typeof disputes> = [
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
  const search = useListSearch(disputes)
  return (
    <ListPage
      resource={disputes}
      words={words}
      text={words.answer}
      tabs={<RefundTabs />}
      columns={columns}
      filters={[statusFilter(words, disputeStatuses)]}
      narrowings={useNarrowings(words, search)}
      begin={null}
    />
  )
}
