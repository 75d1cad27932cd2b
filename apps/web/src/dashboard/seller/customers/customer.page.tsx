import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Customer } from '@tollgate/contract/billing-types'
import { lazy, type ReactNode, Suspense } from 'react'
import { useSeller } from '../../context.ts'
import { ApiCallButton } from '../../parts/api-call.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { useAsked } from '../../parts/asked.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { Detail } from '../../parts/detail.tsx'
import { DataPanel } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { itemQuery, timelineQuery } from '../../queries/billing.ts'
import { CustomerActivityPanel } from '../activity/activity-list.tsx'
import { latestOrders, OrdersPanel } from '../orders/orders-panel.tsx'
import { latestPayments, PaymentsPanel } from '../payments/payments-panel.tsx'
import { BalancePanel, balanceOf } from './customer-balance.tsx'
import {
  BillingPanel,
  latestSubscriptions,
  PaymentMethodsPanel,
  ProfilePanel,
  paymentMethodsOf,
  StatePanel,
  SubscriptionsPanel,
} from './customer-panels.tsx'
import { customers } from './customers.resource.ts'
import { customersWords as words } from './customers.texts.ts'

const route = getRouteApi('/dashboard/$slug/customers/$customerId')

/** Loaded when one of them opens for the first time. */
const CustomerDialog = lazy(async () => ({ default: (await import('./customer.dialog.tsx')).CustomerDialog }))

/** One customer with all actions. */
export function CustomerPage() {
  const { billing, slug, may } = useSeller()
  const { customerId } = route.useParams()
  const back = (
    <BackLink to="/dashboard/$slug/customers" params={{ slug }} {...useWayBack(customers.searchIn)}>
      {words.title}
    </BackLink>
  )
  const query = itemQuery(['customer', customerId], (options) => billing.getCustomer({ id: customerId }, options))
  const of = { customerId: [customerId] }
  const mayReadOrders = may('order', 'read')
  const parts = [
    useQuery({ ...latestOrders(billing, of), enabled: mayReadOrders }),
    useQuery({ ...latestSubscriptions(billing, customerId), enabled: may('subscription', 'read') }),
    useQuery({ ...latestPayments(billing, of), enabled: mayReadOrders }),
    useQuery(paymentMethodsOf(billing, customerId)),
    useQuery(balanceOf(billing, customerId)),
    useInfiniteQuery(timelineQuery(billing, { customerId })),
  ]
  return (
    <Detail query={query} back={back} words={words.customer} parts={parts}>
      {(customer) => <CustomerView key={customer.id} customer={customer} back={back} />}
    </Detail>
  )
}

function CustomerView({ customer, back }: { customer: Customer; back: ReactNode }) {
  const { slug, may } = useSeller()
  const { what, ask, frame } = useAsked<'edit' | 'metadata' | 'delete'>()
  const mayWrite = may('customer', 'write')
  const { id } = customer
  const of = { customerId: [id] }
  return (
    <>
      <PageHead
        title={customer.name || customer.email}
        above={back}
        actions={
          <>
            <ApiCallButton calls={callsOf(customer)} />
            {mayWrite ? <Button onClick={() => ask('edit')}>{words.editing.button}</Button> : null}
          </>
        }
      />
      <div className="columns">
        <div className="column">
          {may('order', 'read') ? (
            <OrdersPanel
              of={of}
              words={words.orders}
              actions={
                <Link to="/dashboard/$slug/orders" params={{ slug }} search={{ customer: id }} className="link">
                  {words.orders.all}
                </Link>
              }
            />
          ) : null}
          {may('subscription', 'read') ? <SubscriptionsPanel customerId={id} /> : null}
          {may('order', 'read') ? (
            <PaymentsPanel
              of={of}
              words={words.payments}
              actions={
                <Link to="/dashboard/$slug/payments" params={{ slug }} search={{ customer: id }} className="link">
                  {words.payments.all}
                </Link>
              }
            />
          ) : null}
          <PaymentMethodsPanel customerId={id} />
          <BalancePanel customerId={id} />
          <CustomerActivityPanel customerId={id} />
        </div>
        <div className="column">
          <ProfilePanel customer={customer} />
          <BillingPanel customer={customer} />
          <DataPanel
            {...words.metadata}
            data={customer.metadata}
            actions={
              mayWrite ? (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={words.metadata.edit}
                  onClick={() => ask('metadata')}
                >
                  {words.editing.button}
                </Button>
              ) : null
            }
          />
          <StatePanel customerId={id} />
          {mayWrite ? (
            <Panel title={words.danger.title}>
              <div className="panel-line">
                <p className="quiet">{words.danger.text}</p>
                <Button variant="outline" color="red" onClick={() => ask('delete')}>
                  {words.danger.button}
                </Button>
              </div>
            </Panel>
          ) : null}
        </div>
      </div>
      <Suspense>{what ? <CustomerDialog what={what} customer={customer} {...frame} /> : null}</Suspense>
    </>
  )
}

/** With the customer's own values, so that they only have to be changed. */
function callsOf({ id, name, email, externalId }: Customer) {
  const { calls } = words
  return {
    [calls.get]: apiCall('getCustomer', { id }),
    ...(externalId && { [calls.getExternal]: apiCall('getExternalCustomer', { externalId }) }),
    [calls.state]: apiCall('getCustomerState', { id }),
    [calls.update]: apiCall('updateCustomer', { id, email, name }),
    [calls.session]: apiCall('createCustomerSession', { customerId: id }),
  }
}
