import { getRouteApi, Link } from '@tanstack/react-router'
import type { Payment } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { useSeller } from '../../context.ts'
import { ApiCallButton } from '../../parts/api-call.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Detail } from '../../parts/detail.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Money, moneyText } from '../../parts/money.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Status } from '../../parts/status.tsx'
import { Moment } from '../../parts/time.tsx'
import { itemQuery } from '../../queries/billing.ts'
import { declineText, paymentMethodText } from './payment-method.ts'
import { payments } from './payments.resource.ts'
import { paymentsWords } from './payments.texts.ts'
import { PaymentsPanel } from './payments-panel.tsx'
import { processorNames } from './processors.texts.ts'

const route = getRouteApi('/dashboard/$slug/payments/$paymentId')
const words = paymentsWords.payment

/** One attempt to pay: with what, at which processor, and what came of it. */
export function PaymentPage() {
  const { billing, slug } = useSeller()
  const { paymentId } = route.useParams()
  const back = (
    <BackLink to="/dashboard/$slug/payments" params={{ slug }} {...useWayBack(payments.searchIn)}>
      {paymentsWords.title}
    </BackLink>
  )
  const query = itemQuery(['payment', paymentId], (options) => billing.getPayment({ id: paymentId }, options))
  return (
    <Detail query={query} back={back} words={words}>
      {(payment) => <PaymentView key={payment.id} payment={payment} back={back} />}
    </Detail>
  )
}

function PaymentView({ payment, back }: { payment: Payment; back: ReactNode }) {
  const { id, amount, currency, checkoutId } = payment
  return (
    <>
      <PageHead
        title={words.title(moneyText(amount, currency))}
        above={back}
        actions={<ApiCallButton calls={{ [words.call]: apiCall('getPayment', { id }) }} />}
      />
      <div className="columns">
        <div className="column">
          <OutcomePanel payment={payment} />
          {checkoutId ? <PaymentsPanel of={{ checkoutId: [checkoutId] }} words={words.attempts} /> : null}
        </div>
        <div className="column">
          <LinksPanel payment={payment} />
        </div>
      </div>
    </>
  )
}

function OutcomePanel({ payment }: { payment: Payment }) {
  const { amount, currency, status, declineReason, createdAt, paidBy, processorReference, isTest } = payment
  const { outcome } = words
  return (
    <Panel title={outcome.title}>
      <Facts>
        <Fact label={outcome.amount}>
          <Money amount={amount} currency={currency} />
          {isTest ? <span className="chip">{paymentsWords.test}</span> : null}
        </Fact>
        <Fact label={outcome.status}>
          <Status value={status} />
        </Fact>
        <Fact label={outcome.declined}>{declineText(payment)}</Fact>
        <Fact label={outcome.code}>{declineReason ? <code>{declineReason}</code> : null}</Fact>
        <Fact label={outcome.method}>{paymentMethodText(payment)}</Fact>
        <Fact label={outcome.date}>
          <Moment at={createdAt} />
        </Fact>
        <Fact label={outcome.processor}>{processorNames[paidBy]}</Fact>
        <Fact label={outcome.reference}>
          {processorReference ? <Copyable text={processorReference} what={outcome.reference} /> : null}
        </Fact>
        <Fact label={outcome.id}>
          <Copyable text={payment.id} what={outcome.id} />
        </Fact>
      </Facts>
    </Panel>
  )
}

function LinksPanel({ payment: { orderId, checkoutId, customerId, customerEmail } }: { payment: Payment }) {
  const { slug, may } = useSeller()
  const { links } = words
  return (
    <Panel title={links.title}>
      <Facts>
        <Fact label={links.order}>
          {orderId ? (
            <Link to="/dashboard/$slug/orders/$orderId" params={{ slug, orderId }} className="link">
              {links.showOrder}
            </Link>
          ) : (
            <span className="quiet">{links.noOrder}</span>
          )}
        </Fact>
        <Fact label={links.customer}>
          {customerId && may('customer', 'read') ? (
            <Link to="/dashboard/$slug/customers/$customerId" params={{ slug, customerId }} className="link">
              {customerEmail ?? links.showCustomer}
            </Link>
          ) : (
            customerEmail
          )}
        </Fact>
        <Fact label={links.checkout}>{checkoutId ? <Copyable text={checkoutId} what={links.checkout} /> : null}</Fact>
      </Facts>
    </Panel>
  )
}
