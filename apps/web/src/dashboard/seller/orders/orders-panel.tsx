import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BillingClient } from '@tollgate/client'
import { orderName } from '@tollgate/contract/billing'
import type { BillingQuery } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { useSeller } from '../../context.ts'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Status, statusOfOrder } from '../../parts/status.tsx'
import { Day } from '../../parts/time.tsx'
import { listQuery } from '../../queries/billing.ts'

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
  const { billing, slug } = useSeller()
  const { data, error, refetch } = useQuery(latestOrders(billing, of))
  return (
    <Panel title={words.title} count={data?.pagination.totalCount} actions={actions}>
      {error && !data ? <Failure error={error} retry={refetch} needs="order:read" /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={1} tall /> : null}
      {data?.items.length === 0 ? <p className="quiet panel-text">{words.none}</p> : null}
      <ul className="rows">
        {data?.items.map(({ id, invoiceNumber, product, totalAmount, currency, status, voidedAt, createdAt }) => (
          <li key={id}>
            <span className="grow">
              <Link to="/dashboard/$slug/orders/$orderId" params={{ slug, orderId: id }} className="link">
                {orderName({ id, invoiceNumber })}
              </Link>
              <span className="quiet block">
                {product.name} · <Day at={createdAt} />
              </span>
            </span>
            <Status value={statusOfOrder({ status, voidedAt })} />
            <Money amount={totalAmount} currency={currency} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
