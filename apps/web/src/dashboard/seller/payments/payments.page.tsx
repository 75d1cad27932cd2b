import { getRouteApi, type HistoryState, Link } from '@tanstack/react-router'
import type { Payment } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import type { Column } from '../../parts/billing-table.tsx'
import { createdColumn, ListPage } from '../../parts/list-page.tsx'
import { Money, moneyText } from '../../parts/money.tsx'
import { ExportLink } from '../lists/export-link.tsx'
import { FirstSale, firstCheckout } from '../lists/list-first-sale.tsx'
import { amountColumn, statusColumn, statusFilter, useNarrowings } from '../lists/list-parts.tsx'
import { filtersOf } from '../lists/list-search.ts'
import { paymentMethodText } from './payment-method.ts'
import { paymentsQueryOf, type Sort, statuses } from './payments.search.ts'
import { paymentsWords as words } from './payments.texts.ts'

const route = getRouteApi('/dashboard/$slug/payments')

const columns: readonly Column<Payment, Sort>[] = [
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
  const { billing } = useSeller()
  const search = route.useSearch()
  return (
    <ListPage
      words={words}
      search={search}
      list={{ name: 'listPayments', key: 'payments', query: paymentsQueryOf, read: billing.listPayments }}
      columns={columns}
      filters={[
        statusFilter(words, search.status, statuses),
        {
          name: 'method',
          label: words.method,
          value: search.method,
          all: words.everyMethod,
          options: Object.entries(words.methods).map(([value, label]) => ({ value, label })),
        },
      ]}
      narrowings={useNarrowings(words, search)}
      needs="order:read"
      extra={<ExportLink name="exportPayments" query={filtersOf(paymentsQueryOf(search))} />}
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
  const { status, declineMessage, declineReason } = payment
  const reason = declineMessage ?? declineReason
  return (
    <>
      {paymentMethodText(payment)}
      {status === 'failed' && reason ? (
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
