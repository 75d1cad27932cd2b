import { getRouteApi, type HistoryState, Link } from '@tanstack/react-router'
import type { Payment } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import type { Column, Narrowing } from '../parts/billing-table.tsx'
import { createdColumn, ListPage } from '../parts/list-page.tsx'
import { Money, moneyText } from '../parts/money.tsx'
import { Status } from '../parts/status.tsx'
import { texts } from '../texts.ts'
import { ExportLink } from './export-link.tsx'
import { useCustomerName } from './list-choices.ts'
import { FirstSale, firstCheckout } from './list-first-sale.tsx'
import { filtersOf } from './list-search.ts'
import { paymentMethodText } from './payment-method.ts'
import { type PaymentsSearch, paymentsQueryOf, type Sort, statuses } from './payments.search.ts'
import { paymentsWords as words } from './payments.texts.ts'

const route = getRouteApi('/dashboard/$slug/payments')

const columns: readonly Column<Payment, Sort>[] = [
  {
    name: 'amount',
    label: words.columns.amount,
    sorts: ['-amount', 'amount'],
    size: 'medium',
    card: 'start',
    cell: (payment, cameFrom) => <Amount payment={payment} cameFrom={cameFrom} />,
  },
  {
    name: 'status',
    label: words.columns.status,
    size: 'medium',
    card: 'end',
    cell: ({ status }) => <Status value={status} />,
  },
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

/** Every attempt to pay, declined ones included. */
export function PaymentsPage() {
  const { billing } = useSeller()
  const search = route.useSearch()
  const narrowings = useNarrowings(search)
  return (
    <ListPage
      words={words}
      search={search}
      list={{ name: 'listPayments', key: 'payments', query: paymentsQueryOf, read: billing.listPayments }}
      columns={columns}
      filters={[
        {
          name: 'status',
          label: words.status,
          value: search.status,
          all: words.everyStatus,
          options: statuses.map((value) => ({ value, label: texts.status[value] })),
        },
        {
          name: 'method',
          label: words.method,
          value: search.method,
          all: words.everyMethod,
          options: Object.entries(words.methods).map(([value, label]) => ({ value, label })),
        },
      ]}
      narrowings={narrowings}
      needs="order:read"
      extra={<ExportLink name="exportPayments" query={filtersOf(paymentsQueryOf(search))} />}
      begin={<FirstSale />}
      example={firstCheckout}
    />
  )
}

/** What a link from elsewhere has narrowed the list to. */
function useNarrowings({ order, checkout, customer }: PaymentsSearch): readonly Narrowing[] {
  const name = useCustomerName(customer)
  const given = { order, checkout, customer: customer && name }
  return (['order', 'checkout', 'customer'] as const).flatMap((each) => {
    const value = given[each]
    return value === undefined ? [] : [{ name: each, label: words[each], value }]
  })
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
