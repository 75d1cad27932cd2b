import { type BillingClient, createBillingClient, type Result } from '@tollgate/client'
import { scopes } from '@tollgate/contract/billing'
import type { BillingBody, Order } from '@tollgate/contract/billing-types'
import type { Person, Site } from './site.ts'

type TestCard = 'success' | 'decline' | 'renewal_decline' | 'refund_pending' | 'disputed'

/** An organization that sells, as its programs see it. */
export type Shop = {
  readonly id: string
  readonly slug: string
  readonly billing: BillingClient
  /** Completes a checkout with the test card of that name. */
  sell(product: string, buyer: Buyer, card?: TestCard): Promise<string>
  /** The only order of a checkout. */
  orderOf(checkoutId: string): Promise<Order>
}

export type Buyer = { readonly name: string; readonly email: string } & Partial<
  Pick<BillingBody<'confirmClientCheckout'>, 'discountCode' | 'customFieldData' | 'customerBillingAddress'>
>

/** What a call has answered; a refusal ends the test. */
export async function answered<Data>(call: Promise<Result<Data>>): Promise<Data> {
  const { data, error } = await call
  if (error) throw new Error(`answered ${error.status}: ${JSON.stringify(error)}`)
  return data as Data // there is either an error or data
}

/** A user's organization that may sell; the site must allow everyone to sell. Its tokens have every scope. */
export async function openShop(
  site: Site,
  owner: Person & { readonly id: string },
  given: { readonly name: string; readonly slug: string },
  members: Readonly<Record<string, string>> = {},
): Promise<Shop> {
  const id = await site.organization(given, owner.id, members)
  const token = await tokenOf(site, owner, id)
  const billing = createBillingClient({ baseURL: site.origin, token })
  return {
    id,
    slug: given.slug,
    billing,
    sell: async (product, { name, email, ...rest }, card = 'success') => {
      const checkout = await answered(billing.createCheckout({ products: [product] }))
      const confirmed = await billing.confirmClientCheckout({
        clientSecret: checkout.clientSecret,
        customerName: name,
        customerEmail: email,
        customerBillingAddress: { country: 'DE' },
        confirmationTokenId: `ctoken_sandbox_${card}`,
        ...rest,
      })
      if (card !== 'decline') await answered(Promise.resolve(confirmed))
      return checkout.id
    },
    orderOf: async (checkoutId) => {
      const { items } = await answered(billing.listOrders({ checkoutId: [checkoutId] }))
      const [order] = items
      if (!order) throw new Error(`There is no order of the checkout ${checkoutId}`)
      return order
    },
  }
}

/** Tokens are made by people: by the owner's session, for once. */
async function tokenOf({ origin }: Site, { email, password }: Person, organizationId: string): Promise<string> {
  const send = async (path: string, body: object, cookie = '') => {
    const headers = { 'content-type': 'application/json', origin, cookie }
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const signedIn = await send('/api/auth/sign-in/email', { email, password })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const body = { comment: 'Seed', scopes, organization_id: organizationId }
  const made = await send('/v1/organization-access-tokens', body, cookie)
  return ((await made.json()) as { token: string }).token // its own answer
}
