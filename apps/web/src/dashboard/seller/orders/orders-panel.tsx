import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BillingClient } from '@tollgate/client'
import { orderName } from '@tollgate/contract/billing'
import type { BillingQuery, Order } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { useSeller } from '../../context.ts'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Status, statusOfOrder } from '../../parts/status.tsx'
import { Day } from '../../parts/time.tsx'
import { listQuery } from '../../queries/billing.ts'
import { OrderDue } from './order-due.tsx'
import { ordersWords } from './orders.texts.ts'
import { PayLinkButton } from './pay-link-button.tsx'

const { nextAttempt } = ordersWords.order.facts

type Of = Pick<BillingQuery<'listOrders'>, 'customerId' | 'subscriptionId'>

type Props = {
  of: Of
  words: { readonly title: string; readonly loading: string; readonly none: string }
  actions?: ReactNode
}

export function latestOrders(billing: BillingClient, of: Of) {
  const query = { ...of, limit: 10 }
  return listQuery(['orders', query], (options) => billing.listOrders(query, options))
}

/** The latest orders of a customer or a subscription. */
export function OrdersPanel({ of, words, actions }: Props) {
  const { billing } = useSeller()
  const { data, error, refetch } = useQuery(latestOrders(billing, of))
  return (
    <Panel title={words.title} count={data?.pagination.totalCount} actions={actions}>
      {error && !data ? <Failure error={error} retry={refetch} needs="order:read" /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={1} tall /> : null}
      {data?.items.length === 0 ? <p className="quiet panel-text">{words.none}</p> : null}
      <ul className="rows">
        {data?.items.map((order) => (
          <OrderLine key={order.id} order={order} />
        ))}
      </ul>
    </Panel>
  )
}

/** An order; one that waits for its payment comes with the link to pay it. */
function OrderLine({ order }: { order: Order }) {
  const { slug, may } = useSeller()
  const { id, product, totalAmount, currency, status, voidedAt, createdAt, nextPaymentAttemptAt } = order
  return (
    <li>
      <span className="grow">
        <Link to="/dashboard/$slug/orders/$orderId" params={{ slug, orderId: id }} className="link">
          {orderName(order)}
        </Link>
        <span className="quiet block">
          {product.name} · <Day at={createdAt} />
        </span>
        <OrderDue order={order} />
        {nextPaymentAttemptAt ? (
          <span className="quiet block">
            {nextAttempt} <Day at={nextPaymentAttemptAt} />
          </span>
        ) : null}
      </span>
      {status === 'pending' && voidedAt === null && may('order', 'write') ? (
        <PayLinkButton order={order} size="compact-sm" />
      ) : null}
      <Status value={statusOfOrder(order)} />
      <Money amount={totalAmount} currency={currency} />
    </li>
  )
}
