import { useSeller } from '../../context.ts'
import { ButtonLink } from '../../parts/button-link.tsx'
import { type Columns, createdColumn, ListPage, useListSearch } from '../../parts/list-page.tsx'
import { Money, moneyText } from '../../parts/money.tsx'
import { amountColumn, statusColumn, statusFilter, useNarrowings } from '../lists/list-parts.tsx'
import { OwnerLinks, RefundTabs } from './refund-tabs.tsx'
import { refundStatuses, refunds } from './refunds.resource.ts'
import { refundsWords as words } from './refunds.texts.ts'

const columns: Columns<typeof refunds> = [
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
  const { slug } = useSeller()
  const search = useListSearch(refunds)
  return (
    <ListPage
      resource={refunds}
      words={words}
      tabs={<RefundTabs />}
      columns={columns}
      filters={[statusFilter(words, refundStatuses)]}
      narrowings={useNarrowings(words, search)}
      begin={
        <ButtonLink to="/dashboard/$slug/orders" params={{ slug }} variant="default">
          {words.toOrders}
        </ButtonLink>
      }
    />
  )
}
