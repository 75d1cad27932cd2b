import { Link } from '@tanstack/react-router'
import { orderName } from '@tollgate/contract/billing'
import { useSeller } from '../../context.ts'
import { type Columns, createdColumn, ListPage, useListSearch } from '../../parts/list-page.tsx'
import { Money, moneyText } from '../../parts/money.tsx'
import { Dot, Status, statusOfOrder } from '../../parts/status.tsx'
import { isOpen, useOpenDisputes } from '../../queries/attention.ts'
import { useProductChoices } from '../lists/list-choices.ts'
import { FirstSale, firstCheckout } from '../lists/list-first-sale.tsx'
import { amountColumn, statusFilter, useNarrowings } from '../lists/list-parts.tsx'
import { refundsWords } from '../refunds/refunds.texts.ts'
import { OrderDue } from './order-due.tsx'
import { orders, statuses } from './orders.resource.ts'
import { ordersWords as words } from './orders.texts.ts'

/** All orders, including renewals. */
export function OrdersPage() {
  const { slug } = useSeller()
  const search = useListSearch(orders)
  const products = useProductChoices(search.product)
  const disputed = new Set(
    useOpenDisputes()
      ?.filter(isOpen)
      .map(({ orderId }) => orderId),
  )

  const { columns: labels } = words
  const columns: Columns<typeof orders> = [
    {
      name: 'number',
      label: labels.number,
      size: 'large',
      card: 'start',
      cell: ({ id, invoiceNumber }, cameFrom) => (
        <Link
          to="/dashboard/$slug/orders/$orderId"
          params={{ slug, orderId: id }}
          state={cameFrom}
          className="row-link"
        >
          {orderName({ id, invoiceNumber })}
        </Link>
      ),
    },
    {
      name: 'customer',
      label: labels.customer,
      sorts: ['customer', '-customer'],
      card: 'end',
      cell: ({ customer: { name, email } }) => name || email,
    },
    { name: 'product', label: labels.product, card: 'start', cell: ({ product }) => product.name },
    {
      name: 'status',
      label: labels.status,
      size: 'medium',
      card: 'end',
      cell: (order) => (
        <>
          <Status value={statusOfOrder(order)} />
          <OrderDue order={order} />
          {disputed.has(order.id) ? (
            <span className="block">
              <Dot tone="danger">{refundsWords.disputes.open}</Dot>
            </span>
          ) : null}
        </>
      ),
    },
    amountColumn(labels.amount, { align: 'end', card: 'start' }, ({ netAmount, refundedAmount, currency }) => (
      <>
        <Money amount={netAmount} currency={currency} />
        {refundedAmount > 0 ? (
          <span className="quiet block">{words.refunded(moneyText(refundedAmount, currency))}</span>
        ) : null}
      </>
    )),
    createdColumn(labels.created, 'end'),
  ]

  return (
    <ListPage
      resource={orders}
      words={words}
      columns={columns}
      bulk={{ nameOf: orderName }}
      filters={[
        statusFilter(words, statuses),
        { name: 'product', label: words.product, all: words.everyProduct, options: products },
      ]}
      narrowings={[...useNarrowings({ customer: words.customer }, search)]}
      begin={<FirstSale />}
      example={firstCheckout}
    />
  )
}
