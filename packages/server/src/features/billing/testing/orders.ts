import type { TestAnswer } from '../../../testing.ts'
import type { Shop } from './shop.ts'

/** The orders of a subscription, the oldest first. */
export async function ordersOfSubscription(shop: Shop, id: string): Promise<TestAnswer['body'][]> {
  const { items } = (await shop.get('/orders?limit=100&sorting=created_at')).body
  return items.filter((order: { subscription_id: string }) => order.subscription_id === id)
}
