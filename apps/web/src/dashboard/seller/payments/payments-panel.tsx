import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BillingClient } from '@tollgate/client'
import type { BillingQuery, Payment } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { useSeller } from '../../context.ts'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Moment } from '../../parts/time.tsx'
import { listQuery } from '../../queries/billing.ts'
import { declineText, paymentMethodText } from './payment-method.ts'

type Of = Pick<BillingQuery<'listPayments'>, 'orderId' | 'customerId' | 'checkoutId'>

type Props = {
  of: Of
  words: { readonly title: string; readonly loading: string; readonly none: string }
  actions?: ReactNode
}

export function latestPayments(billing: BillingClient, of: Of) {
  const query = { ...of, limit: 10 }
  return listQuery(['payments', query], (options) => billing.listPayments(query, options))
}

/** The latest attempts to pay for something, declined ones included. */
export function PaymentsPanel({ of, words, actions }: Props) {
  const { billing } = useSeller()
  const { data, error, refetch } = useQuery(latestPayments(billing, of))
  return (
    <Panel title={words.title} count={data?.pagination.totalCount} actions={actions}>
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={words.loading} rows={1} tall /> : null}
      {data?.items.length === 0 ? <p className="quiet panel-text">{words.none}</p> : null}
      <ul className="rows">
        {data?.items.map((payment) => (
          <PaymentLine key={payment.id} payment={payment} />
        ))}
      </ul>
    </Panel>
  )
}

function PaymentLine({ payment }: { payment: Payment }) {
  const { id, amount, currency, status, createdAt } = payment
  const { slug } = useSeller()
  return (
    <li>
      <span className="grow">
        <Link to="/dashboard/$slug/payments/$paymentId" params={{ slug, paymentId: id }} className="link">
          <Money amount={amount} currency={currency} />
        </Link>
        <span className="quiet block">
          {paymentMethodText(payment)} · <Moment at={createdAt} />
        </span>
        {status === 'failed' ? <span className="quiet block">{declineText(payment)}</span> : null}
      </span>
      <Status value={status} />
    </li>
  )
}
