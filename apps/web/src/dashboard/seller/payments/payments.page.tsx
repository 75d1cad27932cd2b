import { type HistoryState, Link } from '@tanstack/react-router'
import type { Payment } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { type Columns, createdColumn, ListPage, useListSearch } from '../../parts/list-page.tsx'
import { Money, moneyText } from '../../parts/money.tsx'
import { FirstSale, firstCheckout } from '../lists/list-first-sale.tsx'
import { amountColumn, statusColumn, statusFilter, useNarrowings } from '../lists/list-parts.tsx'
import { declineText, paymentMethodText } from './payment-method.ts'
import { payments, statuses } from './payments.resource.ts'
import { paymentsWords as words } from './payments.texts.ts'

const columns: Columns<typeof payments> = [
  amountColumn(words.columns.amount, { card: 'start' }, (payment, cameFrom) => (
    <Amount payment={payment} cameFrom={cameFrom} />
  )),
  statusColumn(words.columns.status, 'end'),
  { name: 'customer', label: words.columns.customer, card: 'wide', cell: ({ customerEmail }) => customerEmail },
  {
    name: 'method',
    label: words.columns.method,
    card: 'wide',
    cell: (payment) => <Method payment={payment} />,
  },
  {
    name: 'links',
    label: words.columns.links,
    size: 'medium',
    card: 'start',
    cell: (payment) => <PaymentLinks payment={payment} />,
  },
  createdColumn(words.columns.created, 'end'),
]

/** All payments, declined ones included. */
export function PaymentsPage() {
  const search = useListSearch(payments)
  return (
    <ListPage
      resource={payments}
      words={words}
      columns={columns}
      filters={[
        statusFilter(words, statuses),
        {
          name: 'method',
          label: words.method,
          all: words.everyMethod,
          options: Object.entries(words.methods).map(([value, label]) => ({ value, label })),
        },
      ]}
      narrowings={useNarrowings(words, search)}
      begin={<FirstSale />}
      example={firstCheckout}
    />
  )
}

function Amount({ payment: { id, amount, currency, isTest }, cameFrom }: { payment: Payment; cameFrom: HistoryState }) {
  const { slug } = useSeller()
  return (
    <>
      <Link
        to="/dashboard/$slug/payments/$paymentId"
        params={{ slug, paymentId: id }}
        state={cameFrom}
        className="row-link"
      >
        <Money amount={amount} currency={currency} />
      </Link>{' '}
      {isTest ? <span className="chip">{words.test}</span> : null}
    </>
  )
}

/** What was paid with; and why not, where it was declined. */
function Method({ payment }: { payment: Payment }) {
  const reason = declineText(payment)
  return (
    <>
      {paymentMethodText(payment)}
      {reason ? (
        <span className="quiet block wrong-line" title={reason}>
          {reason}
        </span>
      ) : null}
    </>
  )
}

/** What was paid: the order where there is one, and the other attempts at the same checkout. */
function PaymentLinks({ payment: { amount, currency, orderId, checkoutId } }: { payment: Payment }) {
  const { slug } = useSeller()
  const money = moneyText(amount, currency)
  return (
    <span className="actions">
      {orderId ? (
        <Link
          to="/dashboard/$slug/orders/$orderId"
          params={{ slug, orderId }}
          className="link"
          aria-label={words.orderNamed(money)}
        >
          {words.showOrder}
        </Link>
      ) : null}
      {checkoutId ? (
        <Link
          to="/dashboard/$slug/payments"
          params={{ slug }}
          search={{ checkout: checkoutId }}
          className="link"
          aria-label={words.checkoutNamed(money)}
        >
          {words.showCheckout}
        </Link>
      ) : null}
    </span>
  )
}
