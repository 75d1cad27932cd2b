import { useQuery } from '@tanstack/react-query'
import type { BillingClient } from '@tollgate/client'
import { useSeller } from '../../context.ts'
import { latestOrders } from '../orders/orders-panel.tsx'
import { latestPayments, PaymentsPanel } from '../payments/payments-panel.tsx'
import { subscriptionsWords } from './subscriptions.texts.ts'

/** The latest orders of a subscription, by id; none before they are loaded. */
export function useOrderIds(subscriptionId: string): string[] {
  const { billing, may } = useSeller()
  const { data } = useQuery({
    ...latestOrders(billing, { subscriptionId: [subscriptionId] }),
    enabled: may('order', 'read'),
  })
  return data?.items.map(({ id }) => id) ?? []
}

/** The payments of orders. The query is off without an order, because the call would then answer all payments. */
export const paymentsOf = (billing: BillingClient, orderId: string[]) => ({
  ...latestPayments(billing, { orderId }),
  enabled: orderId.length > 0,
})

/** The attempts to pay the latest orders of a subscription. */
export function SubscriptionPayments({ subscriptionId }: { subscriptionId: string }) {
  const orderId = useOrderIds(subscriptionId)
  if (orderId.length === 0) return null
  return <PaymentsPanel of={{ orderId }} words={subscriptionsWords.subscription.payments} />
}
