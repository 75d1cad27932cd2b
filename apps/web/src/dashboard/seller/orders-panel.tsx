import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BillingQuery } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { useSeller } from '../context.ts'
import { Money } from '../parts/money.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure, Waiting } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { Day } from '../parts/time.tsx'
import { listQuery } from '../queries/billing.ts'

type Props = {
  of: Pick<BillingQuery<'listOrders'>, 'customerId' | 'subscriptionId'>
  words: { readonly title: string; readonly loading: string; readonly none: string }
  actions?: ReactNode
}

/** The latest orders of a customer or a subscription. */
export function OrdersPanel({ of, words, actions }: Props) {
  const { billing, slug } = useSeller()
  const query = { ...of, limit: 10 }
  const { data, error, refetch } = useQuery(
    listQuery(['orders', query], (options) => billing.listOrders(query, options)),
  )
  return (
    <Panel title={words.title} count={data?.pagination.totalCount} actions={actions}>
      {error && !data ? <Failure error={error} retry={refetch} needs="order:read" /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={1} tall /> : null}
      {data?.items.length === 0 ? <p className="quiet panel-text">{words.none}</p> : null}
      <ul className="rows">
        {data?.items.map(({ id, invoiceNumber, product, totalAmount, currency, status, createdAt }) => (
          <li key={id}>
            <span className="grow">
              <Link to="/dashboard/$slug/orders/$orderId" params={{ slug, orderId: id }} className="link">
                {invoiceNumber}
              </Link>
              <span className="quiet block">
                {product.name} · <Day at={createdAt} />
              </span>
            </span>
            <Status value={status} />
            <Money amount={totalAmount} currency={currency} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
