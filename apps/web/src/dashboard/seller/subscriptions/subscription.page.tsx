import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { DiscountBase, ProductPrice, Subscription } from '@tollgate/contract/billing-types'
import { lazy, type ReactNode, Suspense } from 'react'
import { useSeller } from '../../context.ts'
import { ApiCallButton } from '../../parts/api-call.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Detail } from '../../parts/detail.tsx'
import { DataPanel, Fact, Facts } from '../../parts/facts.tsx'
import { Money, moneyText } from '../../parts/money.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Waiting } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Moment, momentText } from '../../parts/time.tsx'
import { itemQuery } from '../../queries/billing.ts'
import { AnswersPanel } from '../custom-fields/answers-panel.tsx'
import { latestOrders, OrdersPanel } from '../orders/orders-panel.tsx'
import { comingText } from './coming-charge.ts'
import { NextChargePanel, nextOrderOf } from './next-charge.tsx'
import { PauseNotice } from './pause-notice.tsx'
import { SchedulePanel, scheduleOf } from './schedule-panel.tsx'
import { CollectionButton, DiscountButton, PendingChange, SubscriptionActions } from './subscription-actions.tsx'
import { paymentsOf, SubscriptionPayments, useOrderIds } from './subscription-payments.tsx'
import { unitPriceText } from './subscription-unit-price.ts'
import { subscriptions } from './subscriptions.resource.ts'
import { subscriptionsWords } from './subscriptions.texts.ts'

const route = getRouteApi('/dashboard/$slug/subscriptions/$subscriptionId')
const words = subscriptionsWords.subscription

/** Below everything else, and long. */
const Timeline = lazy(async () => ({
  default: (await import('../activity/activity-list.tsx')).SubscriptionActivityPanel,
}))

/** One subscription. */
export function SubscriptionPage() {
  const { billing, slug, may } = useSeller()
  const { subscriptionId } = route.useParams()
  const back = (
    <BackLink to="/dashboard/$slug/subscriptions" params={{ slug }} {...useWayBack(subscriptions.searchIn)}>
      {subscriptionsWords.title}
    </BackLink>
  )
  const query = itemQuery(['subscription', subscriptionId], (options) =>
    billing.getSubscription({ id: subscriptionId }, options),
  )
  const { data } = useQuery(query)
  const parts = [
    useQuery(nextOrderOf(billing, data)),
    useQuery(scheduleOf(billing, data)),
    useQuery({ ...latestOrders(billing, { subscriptionId: [subscriptionId] }), enabled: may('order', 'read') }),
    useQuery(paymentsOf(billing, useOrderIds(subscriptionId))),
  ]
  return (
    <Detail query={query} back={back} words={words} parts={parts}>
      {(subscription) => <SubscriptionView key={subscription.id} subscription={subscription} back={back} />}
    </Detail>
  )
}

type Of = { subscription: Subscription }

function SubscriptionView({ subscription, back }: Of & { back: ReactNode }) {
  const { may, slug } = useSeller()
  const { id, customer, customerId, product } = subscription
  const of = { subscriptionId: [id] }
  const { calls } = subscriptionsWords
  return (
    <>
      <PageHead
        title={words.title(customer.name || customer.email, product.name)}
        above={back}
        actions={
          <>
            <SubscriptionActions subscription={subscription} />
            <ApiCallButton
              calls={{ [calls.get]: apiCall('getSubscription', { id }), [calls.orders]: apiCall('listOrders', of) }}
            />
          </>
        }
      />
      <EndNotice subscription={subscription} />
      <PendingChange subscription={subscription} />
      <PauseNotice subscription={subscription} />
      <div className="columns">
        <div className="column">
          {subscription.endedAt ? null : <NextChargePanel subscription={subscription} />}
          <SchedulePanel subscription={subscription} />
          {may('order', 'read') ? (
            <OrdersPanel
              of={of}
              words={words.orders}
              actions={
                <Link to="/dashboard/$slug/orders" params={{ slug }} search={{ customer: customerId }} className="link">
                  {words.orders.all}
                </Link>
              }
            />
          ) : null}
          <SubscriptionPayments subscriptionId={id} />
          {may('customer', 'read') ? (
            <Suspense fallback={<TimelineWaits />}>
              <Timeline subscriptionId={id} />
            </Suspense>
          ) : null}
        </div>
        <div className="column">
          <PeriodPanel subscription={subscription} />
          <PricesPanel subscription={subscription} />
          <DiscountPanel subscription={subscription} />
          <FactsPanel subscription={subscription} />
          <AnswersPanel {...words.fields} data={subscription.customFieldData} />
          <DataPanel {...words.metadata} data={subscription.metadata} />
        </div>
      </div>
    </>
  )
}

const TimelineWaits = () => (
  <Panel title={words.timeline.title}>
    <Waiting label={words.timeline.loading} rows={8} />
  </Panel>
)

/** Says when it ends or has ended, and why, where the customer has said so. */
function EndNotice({ subscription }: Of) {
  const { endedAt, endsAt, currentPeriodEnd, cancelAtPeriodEnd } = subscription
  const { customerCancellationReason: reason, customerCancellationComment: comment } = subscription
  const end = endsAt ?? currentPeriodEnd
  if (!endedAt && !(cancelAtPeriodEnd && end)) return null
  return (
    <div className="notice" data-tone="warn">
      <span>
        {endedAt ? words.ended(momentText(endedAt)) : words.ending(momentText(end ?? ''))}
        {reason ? <span className="block">{words.reason(words.reasons[reason])}</span> : null}
        {comment ? <q className="block">{comment}</q> : null}
      </span>
    </div>
  )
}

function PeriodPanel({ subscription: { currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd, endedAt } }: Of) {
  const { period } = words
  return (
    <Panel title={period.title}>
      <Facts>
        <Fact label={period.from}>
          <Moment at={currentPeriodStart} />
        </Fact>
        <Fact label={period.until}>{currentPeriodEnd ? <Moment at={currentPeriodEnd} /> : period.open}</Fact>
        <Fact label={period.next}>{cancelAtPeriodEnd || endedAt ? period.ends : period.renews}</Fact>
      </Facts>
    </Panel>
  )
}

/** The agreed terms; the product's prices may have changed since. */
function PricesPanel({ subscription: { prices, quantity, currency, recurringInterval } }: Of) {
  return (
    <Panel title={words.prices.title} count={prices.length}>
      <p className="quiet panel-note">{words.prices.text}</p>
      <ul className="rows">
        {prices.map((price) => (
          <li key={price.id}>
            <span className="grow">{kindOf(price)}</span>
            <span>
              {price.amountType === 'fixed' && quantity > 1 ? `${quantity} × ` : null}
              {amountOf(price, currency)}{' '}
              {price.amountType === 'fixed' || price.amountType === 'custom' ? (
                <span className="quiet">{subscriptionsWords.per[recurringInterval]}</span>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function kindOf(price: ProductPrice): string {
  if (price.amountType === 'metered_unit') return words.prices.metered(price.meter.name)
  return words.prices[price.amountType]
}

function amountOf(price: ProductPrice, currency: string): ReactNode {
  switch (price.amountType) {
    case 'fixed':
      return <Money amount={price.priceAmount} currency={price.priceCurrency} />
    case 'metered_unit':
      return (
        <>
          <span className="money">{unitPriceText(price.unitAmount, price.priceCurrency)}</span>
          {price.capAmount === null ? null : (
            <span className="quiet block">{words.prices.cap(moneyText(price.capAmount, currency))}</span>
          )}
        </>
      )
    default:
      return null
  }
}

function DiscountPanel({ subscription }: Of) {
  const { slug } = useSeller()
  const { discount, currency } = subscription
  return (
    <Panel title={words.discount.title} actions={<DiscountButton subscription={subscription} />}>
      {discount ? (
        <ul className="rows">
          <li>
            <span className="grow">
              <Link
                to="/dashboard/$slug/discounts/$discountId"
                params={{ slug, discountId: discount.id }}
                className="link"
              >
                {discount.name}
              </Link>
              {discount.code ? <code className="block">{discount.code}</code> : null}
            </span>
            <span>
              {offOf(discount, currency)} <span className="quiet">{durationOf(discount)}</span>
            </span>
          </li>
        </ul>
      ) : (
        <p className="quiet panel-text">{words.discount.none}</p>
      )}
    </Panel>
  )
}

/** How much is taken off: an amount, or a share in hundredths of a percent. */
const offOf = ({ basisPoints, amount = 0, currency }: DiscountBase, sold: string): string =>
  basisPoints === undefined ? moneyText(amount, currency ?? sold) : `${basisPoints / 100}%`

function durationOf({ duration, durationInMonths }: DiscountBase): string {
  return duration === 'repeating' ? words.discount.repeating(durationInMonths ?? 1) : words.discount[duration]
}

/** How its orders are collected, and until when an invoice is to be paid. */
function collectionOf({ collectionMethod, netTermsDays }: Subscription): string {
  const { card, invoice, terms, atOnce } = words.collection
  if (collectionMethod === 'charge_automatically') return card
  return `${invoice}, ${netTermsDays ? terms(netTermsDays) : atOnce}`
}

function FactsPanel({ subscription }: Of) {
  const { slug } = useSeller()
  const { facts } = words
  const { amount, quantity, currency, recurringInterval, customerId, customer, productId, product } = subscription
  const { startedAt, pastDueAt, checkoutId } = subscription
  const coming = comingText(subscription)
  return (
    <Panel title={facts.title} actions={<CollectionButton subscription={subscription} />}>
      <Facts>
        <Fact label={facts.status}>
          <Status value={subscription.status} />
        </Fact>
        <Fact label={facts.customer}>
          <Link to="/dashboard/$slug/customers/$customerId" params={{ slug, customerId }} className="link">
            {customer.name || customer.email}
          </Link>
        </Fact>
        <Fact label={facts.product}>
          <Link to="/dashboard/$slug/products/$productId" params={{ slug, productId }} className="link">
            {product.name}
          </Link>
        </Fact>
        <Fact label={facts.quantity}>{quantity > 1 ? quantity : null}</Fact>
        <Fact label={facts.amount}>
          <span>
            <Money amount={amount} currency={currency} />{' '}
            <span className="quiet">{subscriptionsWords.per[recurringInterval]}</span>
          </span>
          {coming ? <span className="quiet block">{coming}</span> : null}
        </Fact>
        <Fact label={facts.collection}>{collectionOf(subscription)}</Fact>
        <Fact label={facts.started}>{startedAt ? <Moment at={startedAt} /> : null}</Fact>
        <Fact label={facts.pastDue}>{pastDueAt ? <Moment at={pastDueAt} /> : null}</Fact>
        <Fact label={facts.checkout}>{checkoutId ? <Copyable text={checkoutId} what={facts.checkout} /> : null}</Fact>
        <Fact label={facts.id}>
          <Copyable text={subscription.id} what={facts.id} />
        </Fact>
      </Facts>
    </Panel>
  )
}
