import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BillingClient } from '@tollgate/client'
import { toWire } from '@tollgate/contract/billing'
import type { Customer } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { AddressText } from '../../parts/address.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Dot, Status } from '../../parts/status.tsx'
import { Day, Moment } from '../../parts/time.tsx'
import { itemQuery, listQuery } from '../../queries/billing.ts'
import { paymentMethodText } from '../payments/payment-method.ts'
import { NewSubscriptionButton } from '../subscriptions/new-subscription.tsx'
import { subscriptionsWords } from '../subscriptions/subscriptions.texts.ts'
import { taxIdKind } from './customer-tax-ids.ts'
import { customersWords as words } from './customers.texts.ts'

export function ProfilePanel({ customer }: { customer: Customer }) {
  const { profile, form } = words
  const { email, emailVerified, name, externalId, userId, buyerOrganizationId, id } = customer
  return (
    <Panel title={profile.title}>
      <Facts>
        <Fact label={form.email}>
          <span>{email}</span>
          <Dot tone={emailVerified ? 'ok' : 'plain'}>{emailVerified ? profile.verified : profile.unverified}</Dot>
        </Fact>
        <Fact label={form.name}>{name}</Fact>
        <Fact label={form.externalId}>{externalId ? <Copyable text={externalId} what={form.externalId} /> : null}</Fact>
        <Fact label={words.form.links.user}>
          {userId ? <Copyable text={userId} what={words.form.linkId.user} /> : null}
        </Fact>
        <Fact label={words.form.links.organization}>
          {buyerOrganizationId ? <Copyable text={buyerOrganizationId} what={words.form.linkId.organization} /> : null}
        </Fact>
        <Fact label={profile.id}>
          <Copyable text={id} what={profile.id} />
        </Fact>
        <Fact label={profile.created}>
          <Moment at={customer.createdAt} />
        </Fact>
        <Fact label={profile.modified}>{customer.modifiedAt ? <Moment at={customer.modifiedAt} /> : null}</Fact>
      </Facts>
    </Panel>
  )
}

export function BillingPanel({ customer: { billingName, billingAddress, taxId } }: { customer: Customer }) {
  const { billing, form } = words
  const [number, format] = taxId ?? []
  const isEmpty = !billingName && !billingAddress && !number
  return (
    <Panel title={form.billing}>
      {isEmpty ? <p className="quiet panel-text">{billing.none}</p> : null}
      {isEmpty ? null : (
        <Facts>
          <Fact label={form.billingName}>{billingName}</Fact>
          <Fact label={billing.address}>{billingAddress ? <AddressText address={billingAddress} /> : null}</Fact>
          <Fact label={form.taxId}>
            {number ? (
              <>
                <span>{number}</span>
                {format ? <span className="quiet">{taxIdKind(format)}</span> : null}
              </>
            ) : null}
          </Fact>
        </Facts>
      )}
    </Panel>
  )
}

export function latestSubscriptions(billing: BillingClient, customerId: string) {
  const query = { customerId: [customerId], limit: 10 }
  return listQuery(['subscriptions', query], (options) => billing.listSubscriptions(query, options))
}

export function SubscriptionsPanel({ customerId }: { customerId: string }) {
  const { billing, slug } = useSeller()
  const { data, error, refetch } = useQuery(latestSubscriptions(billing, customerId))
  const { subscriptions } = words
  return (
    <Panel
      title={subscriptions.title}
      count={data?.pagination.totalCount}
      actions={
        <>
          <Link
            to="/dashboard/$slug/subscriptions"
            params={{ slug }}
            search={{ customer: customerId }}
            className="link"
          >
            {subscriptions.all}
          </Link>
          <NewSubscriptionButton customerId={customerId} isSmall />
        </>
      }
    >
      {error && !data ? <Failure error={error} retry={refetch} needs="subscription:read" /> : null}
      {!data && !error ? <Waiting label={subscriptions.loading} rows={1} tall /> : null}
      {data?.items.length === 0 ? <p className="quiet panel-text">{subscriptions.none}</p> : null}
      <ul className="rows">
        {data?.items.map(({ id, product, amount, currency, recurringInterval, status, createdAt }) => (
          <li key={id}>
            <span className="grow">
              <Link
                to="/dashboard/$slug/subscriptions/$subscriptionId"
                params={{ slug, subscriptionId: id }}
                className="link"
              >
                {product.name}
              </Link>
              <span className="quiet block">
                {subscriptions.since} <Day at={createdAt} />
              </span>
            </span>
            <Status value={status} />
            <span>
              <Money amount={amount} currency={currency} />{' '}
              <span className="quiet">{subscriptionsWords.per[recurringInterval]}</span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

export const paymentMethodsOf = (billing: BillingClient, customerId: string) =>
  listQuery(['payment-methods', customerId], (options) =>
    billing.listCustomerPaymentMethods({ id: customerId, limit: 100 }, options),
  )

export function PaymentMethodsPanel({ customerId }: { customerId: string }) {
  const { billing } = useSeller()
  const { data, error, refetch } = useQuery(paymentMethodsOf(billing, customerId))
  const { methods } = words
  return (
    <Panel title={methods.title} count={data?.items.length}>
      {error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!data && !error ? <Waiting label={methods.loading} rows={1} /> : null}
      {data?.items.length === 0 ? <p className="quiet panel-text">{methods.none}</p> : null}
      <ul className="rows">
        {data?.items.map(({ id, type, card, default: isDefault }) => (
          <li key={id}>
            <span className="grow">
              {paymentMethodText({ method: type, methodMetadata: card })}
              {isDefault ? <span className="chip">{methods.default}</span> : null}
              {card ? <span className="quiet block">{methods.expires(card.expMonth, card.expYear)}</span> : null}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The customer state as programs get it, in the wire's spelling; loaded on demand. */
export function StatePanel({ customerId }: { customerId: string }) {
  const { billing } = useSeller()
  const [isOpen, { toggle }] = useDisclosure()
  const { data, error, refetch } = useQuery({
    ...itemQuery(['customer', customerId, 'state'], (options) => billing.getCustomerState({ id: customerId }, options)),
    enabled: isOpen,
  })
  const { state } = words
  return (
    <Panel
      title={state.title}
      actions={
        <Button
          variant="default"
          size="compact-sm"
          aria-expanded={isOpen}
          aria-label={isOpen ? state.hideNamed : state.showNamed}
          onClick={toggle}
        >
          {isOpen ? state.hide : state.show}
        </Button>
      }
    >
      {isOpen && error && !data ? <Failure error={error} retry={refetch} /> : null}
      {isOpen && !data && !error ? <Waiting label={state.loading} rows={3} /> : null}
      {isOpen && data ? (
        <div className="panel-text">
          <pre className="code">{JSON.stringify(toWire(data), null, 2)}</pre>
        </div>
      ) : null}
      {isOpen ? null : <p className="quiet panel-text">{state.text}</p>}
    </Panel>
  )
}
