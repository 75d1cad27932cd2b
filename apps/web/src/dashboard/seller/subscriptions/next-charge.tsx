import { useQuery } from '@tanstack/react-query'
import type { BillingClient } from '@tollgate/client'
import type { Subscription } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Failure, Waiting } from '../../parts/states.tsx'
import { Moment } from '../../parts/time.tsx'
import { itemQuery } from '../../queries/billing.ts'
import { OrderLines } from '../orders/order-ticket.tsx'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords.subscription.nextCharge

/** The order that follows if nothing changes, for subscriptions that go on. */
export const nextOrderOf = (billing: BillingClient, subscription: Subscription | undefined) => ({
  ...itemQuery(['subscription-preview', subscription?.id, subscription?.modifiedAt], (options) =>
    billing.previewSubscriptionChange({ id: subscription?.id ?? '' }, options),
  ),
  // Asked for again once the subscription has changed, and not before: one that has just been canceled has no preview.
  staleTime: 'static' as const,
  gcTime: 0,
  enabled: subscription !== undefined && reasonAgainst(subscription) === undefined,
  retry: false,
})

/** Why nothing is charged next; undefined where something is. */
function reasonAgainst({ status, cancelAtPeriodEnd, pauseAtPeriodEnd, pausedAt }: Subscription) {
  if (cancelAtPeriodEnd) return words.ends
  if (pauseAtPeriodEnd || pausedAt !== null) return words.pauses
  if (status === 'past_due') return words.overdue
  return status === 'active' || status === 'trialing' ? undefined : words.none
}

/** What is billed next and when, as the invoice will look. */
export function NextChargePanel({ subscription }: { subscription: Subscription }) {
  const { billing } = useSeller()
  const { data, error, refetch } = useQuery(nextOrderOf(billing, subscription))
  const reason = reasonAgainst(subscription)
  const title = subscription.collectionMethod === 'send_invoice' ? words.invoice : words.title
  return (
    <Panel title={title}>
      {reason ? <p className="quiet panel-text">{reason}</p> : null}
      {!reason && error && !data ? <Failure error={error} retry={refetch} /> : null}
      {!reason && !error && !data ? <Waiting label={words.loading} rows={3} /> : null}
      {!reason && data ? (
        <>
          <Facts>
            <Fact label={words.when}>
              <Moment at={data.appliesAt} />
            </Fact>
          </Facts>
          {data.nextOrder ? (
            <OrderLines order={{ ...data.nextOrder, discount: subscription.discount }} label={title} />
          ) : (
            <p className="quiet panel-text">{words.none}</p>
          )}
          {subscription.meters.length > 0 ? <p className="quiet panel-note">{words.usage}</p> : null}
        </>
      ) : null}
    </Panel>
  )
}
