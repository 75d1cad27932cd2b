import { expect } from 'vitest'
import type { TestAnswer, TestServer } from '../../../testing.ts'
import { createTestMerchant, type TestMerchant } from './merchant.ts'

/** A merchant with helpers that create products and purchases. */
export type Shop = TestMerchant & {
  /** Creates a product with these prices; returns its id. */
  product(prices: readonly object[], interval?: 'month' | 'year' | null, name?: string): Promise<string>
  discount(terms: object): Promise<{ id: string; code: string }>
  /** An open checkout of a product. */
  checkout(productId: string, given?: object): Promise<OpenCheckout>
  /** Confirms with valid values; `given` overrides them. */
  confirm(checkout: OpenCheckout, given?: object, headers?: Record<string, string>): Promise<TestAnswer>
  /** A confirmed checkout, and its order. */
  buy(productId: string, given?: object): Promise<{ checkout: OpenCheckout; order: TestAnswer['body'] }>
  ordersOf(checkout: OpenCheckout): Promise<TestAnswer['body'][]>
  paymentsOf(checkout: OpenCheckout): Promise<TestAnswer['body'][]>
  statusOf(checkout: OpenCheckout): Promise<string>
}

export type OpenCheckout = { readonly id: string; readonly client_secret: string }

export const fixedPrice = (amount: number) => ({ amount_type: 'fixed', price_amount: amount })
export const freePrice = { amount_type: 'free' }

let things = 0

/** A buyer's form values; each call makes a new buyer. */
export function newBuyer(): Record<string, unknown> {
  things += 1
  return {
    customer_email: `buyer-${things}@example.com`,
    customer_name: `Buyer ${things}`,
    customer_billing_address: { country: 'DE' },
  }
}

const created = ({ status, text, body }: TestAnswer) => {
  if (status !== 201) throw new Error(`answered ${status}: ${text}`)
  return body
}

export async function createShop(server: TestServer): Promise<Shop> {
  const merchant = await createTestMerchant(server)
  const shop: Shop = {
    ...merchant,
    product: async (prices, interval = null, name = 'A product') =>
      created(await merchant.post('/products', { name, recurring_interval: interval, prices })).id,
    discount: async (terms) => {
      things += 1
      const usual = { name: 'Less', code: `CODE${things}`, type: 'percentage', basis_points: 1000, duration: 'once' }
      return created(await merchant.post('/discounts', { ...usual, ...terms }))
    },
    checkout: async (productId, given = {}) =>
      created(await merchant.post('/checkouts', { products: [productId], ...given })),
    confirm: (checkout, given = {}, headers = {}) =>
      server.visitor().request('POST', `/v1/checkouts/client/${checkout.client_secret}/confirm`, {
        body: { ...newBuyer(), confirmation_token_id: 'ctoken_sandbox_success', ...given },
        headers,
      }),
    buy: async (productId, given = {}) => {
      const checkout = await shop.checkout(productId)
      const answer = await shop.confirm(checkout, given)
      expect({ status: answer.status, detail: answer.body.detail }).toEqual({ status: 200, detail: undefined })
      const [order] = await shop.ordersOf(checkout)
      return { checkout, order }
    },
    ordersOf: async ({ id }) => (await merchant.get(`/orders?checkout_id=${id}&limit=100`)).body.items,
    paymentsOf: async ({ id }) =>
      (await merchant.get(`/payments?checkout_id=${id}&limit=100&sorting=created_at`)).body.items,
    statusOf: async ({ id }) => (await merchant.get(`/checkouts/${id}`)).body.status,
  }
  return shop
}
