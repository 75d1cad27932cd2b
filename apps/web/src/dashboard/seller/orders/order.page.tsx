import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { orderName } from '@tollgate/contract/billing'
import type { Order } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { useSeller } from '../../context.ts'
import { AddressText } from '../../parts/address.tsx'
import { ApiCallButton } from '../../parts/api-call.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Detail } from '../../parts/detail.tsx'
import { DataPanel, Fact, Facts } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Dot, Status, statusOfOrder } from '../../parts/status.tsx'
import { Moment } from '../../parts/time.tsx'
import { useTaxSettings } from '../../queries/attention.ts'
import { itemQuery } from '../../queries/billing.ts'
import { AnswersPanel } from '../custom-fields/answers-panel.tsx'
import { taxIdKind } from '../customers/customer-tax-ids.ts'
import { latestPayments, PaymentsPanel } from '../payments/payments-panel.tsx'
import { refundsWords } from '../refunds/refunds.texts.ts'
import { OpenOrderActions } from './open-order-actions.tsx'
import { DisputeBanner, DisputesPanel, disputesOf, useOpenDispute } from './order-disputes.tsx'
import { DocumentsPanel, documentsOf } from './order-documents.tsx'
import { OrderDue } from './order-due.tsx'
import { RefundsPanel, refundsOf } from './order-refunds.tsx'
import { OrderTicket } from './order-ticket.tsx'
import { orders } from './orders.resource.ts'
import { ordersWords } from './orders.texts.ts'

const route = getRouteApi('/dashboard/$slug/orders/$orderId')
const words = ordersWords.order

/** One order; it is a snapshot of the sale. */
export function OrderPage() {
  const { billing, slug } = useSeller()
  const { orderId } = route.useParams()
  const back = (
    <BackLink to="/dashboard/$slug/orders" params={{ slug }} {...useWayBack(orders.searchIn)}>
      {ordersWords.title}
    </BackLink>
  )
  const query = itemQuery(['order', orderId], (options) => billing.getOrder({ id: orderId }, options))
  const parts = [
    useQuery(disputesOf(billing, orderId)),
    useQuery(latestPayments(billing, { orderId: [orderId] })),
    useQuery(refundsOf(billing, orderId)),
    useQuery(documentsOf(billing, orderId)),
    useTaxSettings(),
  ]
  return (
    <Detail query={query} back={back} words={words} parts={parts}>
      {(order) => <OrderView key={order.id} order={order} back={back} />}
    </Detail>
  )
}

function OrderView({ order, back }: { order: Order; back: ReactNode }) {
  const { slug } = useSeller()
  const { calls } = ordersWords
  const of = { orderId: [order.id] }
  return (
    <>
      <PageHead
        title={words.title(orderName(order))}
        above={back}
        actions={
          <>
            <OpenOrderActions order={order} />
            <ApiCallButton
              calls={{
                [calls.get]: apiCall('getOrder', { id: order.id }),
                [calls.payments]: apiCall('listPayments', of),
                [calls.documents]: apiCall('listOrderDocuments', { id: order.id }),
                [calls.refund]: apiCall('createRefund', {
                  orderId: order.id,
                  amount: Math.max(1, order.refundableAmount),
                  reason: 'customer_request',
                }),
              }}
            />
          </>
        }
      />
      <DisputeBanner orderId={order.id} />
      <div className="columns">
        <div className="column">
          <OrderTicket order={order} />
          <PaymentsPanel
            of={of}
            words={words.payments}
            actions={
              <Link to="/dashboard/$slug/payments" params={{ slug }} search={{ order: order.id }} className="link">
                {words.payments.all}
              </Link>
            }
          />
          <RefundsPanel order={order} />
          <DisputesPanel orderId={order.id} />
          <AnswersPanel {...words.fields} data={order.customFieldData} />
          <DataPanel {...words.metadata} data={order.metadata} />
        </div>
        <div className="column">
          <FactsPanel order={order} />
          <DocumentsPanel order={order} />
          <BuyerPanel order={order} />
        </div>
      </div>
    </>
  )
}

function FactsPanel({ order }: { order: Order }) {
  const { slug } = useSeller()
  const { facts } = words
  const isDisputed = useOpenDispute(order.id) !== undefined
  const {
    productId,
    product,
    subscriptionId,
    checkoutId,
    discount,
    nextPaymentAttemptAt,
    dueAt,
    voidedAt,
    voidReason,
  } = order
  return (
    <Panel title={facts.title}>
      <Facts>
        <Fact label={facts.status}>
          <Status value={statusOfOrder(order)} />
          <OrderDue order={order} />
          {isDisputed ? <Dot tone="danger">{refundsWords.disputes.open}</Dot> : null}
        </Fact>
        <Fact label={facts.date}>
          <Moment at={order.createdAt} />
        </Fact>
        <Fact label={facts.due}>{dueAt ? <Moment at={dueAt} /> : null}</Fact>
        <Fact label={facts.voided}>{voidedAt ? <Moment at={voidedAt} /> : null}</Fact>
        <Fact label={facts.voidReason}>{voidReason}</Fact>
        <Fact label={facts.reason}>{words.reasons[order.billingReason]}</Fact>
        <Fact label={facts.number}>
          <Copyable text={orderName(order)} what={facts.number} />
        </Fact>
        <Fact label={facts.product}>
          <Link to="/dashboard/$slug/products/$productId" params={{ slug, productId }} className="link">
            {product.name}
          </Link>
        </Fact>
        <Fact label={facts.subscription}>
          {subscriptionId ? (
            <Link
              to="/dashboard/$slug/subscriptions/$subscriptionId"
              params={{ slug, subscriptionId }}
              className="link"
            >
              {words.showSubscription}
            </Link>
          ) : null}
        </Fact>
        <Fact label={facts.discount}>{discount ? (discount.code ?? discount.name) : null}</Fact>
        <Fact label={facts.nextAttempt}>{nextPaymentAttemptAt ? <Moment at={nextPaymentAttemptAt} /> : null}</Fact>
        <Fact label={facts.checkout}>{checkoutId ? <Copyable text={checkoutId} what={facts.checkout} /> : null}</Fact>
        <Fact label={facts.id}>
          <Copyable text={order.id} what={facts.id} />
        </Fact>
      </Facts>
    </Panel>
  )
}

/** The snapshot of who has bought: the customer may have changed since. */
function BuyerPanel({ order: { customerId, customer, billingName, billingAddress } }: { order: Order }) {
  const { slug } = useSeller()
  const { buyer } = words
  const [number, format] = customer.taxId ?? []
  return (
    <Panel title={buyer.title}>
      <p className="quiet panel-note">{buyer.text}</p>
      <Facts>
        <Fact label={buyer.email}>
          <Link to="/dashboard/$slug/customers/$customerId" params={{ slug, customerId }} className="link">
            {customer.email}
          </Link>
        </Fact>
        <Fact label={buyer.name}>{customer.name}</Fact>
        <Fact label={buyer.billingName}>{billingName}</Fact>
        <Fact label={buyer.address}>{billingAddress ? <AddressText address={billingAddress} /> : null}</Fact>
        <Fact label={buyer.taxId}>
          {number ? (
            <>
              <span>{number}</span>
              {format ? <span className="quiet">{taxIdKind(format)}</span> : null}
            </>
          ) : null}
        </Fact>
      </Facts>
    </Panel>
  )
}
