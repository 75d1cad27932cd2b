import { getRouteApi, Link } from '@tanstack/react-router'
import type { Order } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import type { Column } from '../../parts/billing-table.tsx'
import { createdColumn, ListPage } from '../../parts/list-page.tsx'
import { Money, moneyText } from '../../parts/money.tsx'
import { Dot, Status } from '../../parts/status.tsx'
import { isOpen, useOpenDisputes } from '../../queries/attention.ts'
import { ExportLink } from '../lists/export-link.tsx'
import { useProductChoices } from '../lists/list-choices.ts'
import { FirstSale, firstCheckout } from '../lists/list-first-sale.tsx'
import { amountColumn, createdNarrowing, statusFilter, useNarrowings } from '../lists/list-parts.tsx'
import { filtersOf } from '../lists/list-search.ts'
import { refundsWords } from '../refunds/refunds.texts.ts'
import { ordersQueryOf, type Sort, statuses } from './orders.search.ts'
import { ordersWords as words } from './orders.texts.ts'

const route = getRouteApi('/dashboard/$slug/orders')

/** All orders, including renewals. */
export function OrdersPage() {
  const { billing, slug } = useSeller()
  const search = route.useSearch()
  const products = useProductChoices(search.product)
  const disputed = new Set(
    useOpenDisputes()
      ?.filter(isOpen)
      .map(({ orderId }) => orderId),
  )

  const { columns: labels } = words
  const columns: readonly Column<Order, Sort>[] = [
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
          {invoiceNumber}
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
      cell: ({ id, status }) => (
        <>
          <Status value={status} />
          {disputed.has(id) ? (
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
      words={words}
      search={search}
      list={{ name: 'listOrders', key: 'orders', query: ordersQueryOf, read: billing.listOrders }}
      columns={columns}
      filters={[
        statusFilter(words, search.status, statuses),
        { name: 'product', label: words.product, value: search.product, all: words.everyProduct, options: products },
      ]}
      narrowings={[
        ...useNarrowings({ customer: words.customer }, search),
        ...createdNarrowing(labels.created, search.created),
      ]}
      needs="order:read"
      extra={<ExportLink name="exportOrders" query={filtersOf(ordersQueryOf(search))} />}
      begin={<FirstSale />}
      example={firstCheckout}
    />
  )
}
