import { type BillingCallName, scopes } from '@tollgate/contract/billing'
import type { billingSchemas } from '@tollgate/contract/billing-schemas'
import { endCheckouts } from '../features/billing/checkout/checkout-expiry.service.ts'
import { setSelling } from '../features/billing/merchant/approval.service.ts'
import { createPayments } from '../features/billing/payments/payments.ts'
import { type BillingInput, billingApi } from '../features/billing-api.ts'
import { requireOrganization } from '../features/organization/membership.service.ts'
import { findOrganizationBySlug } from '../features/organization/organization.repository.ts'
import { changeProfile } from '../features/organization/organization.service.ts'
import { receivePicture, storePicture } from '../features/pictures/picture.service.ts'
import { after, days, hours, standingClock } from '../foundation/clock.ts'
import { type Config, isBillingServed } from '../foundation/config/config.ts'
import type { Context } from '../foundation/context.ts'
import type { Id } from '../foundation/db/database.ts'
import { TollgateError } from '../foundation/error.ts'
import { dispatch } from '../foundation/http/dispatch.ts'
import type { AnswerOf } from '../foundation/http/handler.ts'
import { namesOf, proven } from '../foundation/proof/proven.ts'
import { demoLogo } from './demo-logo.ts'
import {
  type DemoProduct,
  type DemoProductName,
  type DemoSale,
  demoBrand,
  demoCustomer,
  demoDiscounts,
  demoFields,
  demoMeter,
  demoProducts,
  demoSales,
} from './demo-shop.ts'

/** The addresses of a demo shop, and its API token. */
export type SeededShop = {
  readonly slug: string
  readonly pricing: string
  readonly checkout: string
  readonly dashboard: string
  readonly token: string
}

/**
 * Turns an organization into a shop with a year of history. Every step is an API call at its own time, so that every
 * rule holds and every event exists. Undefined if it sells something already.
 */
export async function seedShop(ctx: Context, slug: string): Promise<SeededShop | undefined> {
  const organization = isBillingServed(ctx.config) ? await findOrganizationBySlug(ctx.db, slug) : undefined
  if (!organization) return undefined
  const organizationId = organization.id
  await ctx.transaction((tx) => setSelling(ctx, tx, { organizationId, maySell: true, actorId: null }))
  const now = shopOf(ctx, organizationId)
  const { items } = await now.call('listProducts', { query: { limit: 1 } })
  if (items.length > 0) return undefined

  const past = yearAgo(ctx)
  const then = shopOf(past, organizationId)
  await then.call('updateMerchant', { params: { id: organizationId }, body: { brand: demoBrand } })
  await giveLogo(ctx, organizationId)
  const products = await stock(then)
  for (const discount of demoDiscounts) await then.call('createDiscount', { body: discount })
  for (const sale of demoSales()) {
    await passTime(past, organizationId, after(ctx.clock.now(), -hours(sale.hoursAgo)))
    await sell(then, products, sale)
  }
  await passTime(past, organizationId, ctx.clock.now())
  const link = await now.call('createCheckoutLink', {
    body: { label: 'Website', products: [products.pro, products.proYearly, products.atlas] },
  })
  const { token } = await now.call('createAccessToken', { body: { comment: 'Demo', scopes: [...scopes] } })
  const base = ctx.config.baseURL.origin
  return {
    slug,
    pricing: `${base}/pricing/${slug}`,
    checkout: link.url,
    dashboard: `${base}/dashboard/${slug}`,
    token,
  }
}

/** No call for a program uploads a logo: people do it on a page. */
async function giveLogo(ctx: Context, organizationId: Id<'organization'>): Promise<void> {
  const picture = await receivePicture(ctx, 'demo', demoLogo().stream())
  await ctx.transaction(async (tx) => {
    await requireOrganization(tx, organizationId, 'ORGANIZATION_NOT_FOUND')
    await storePicture(ctx, tx, { organizationId }, picture)
    await changeProfile(tx, organizationId, { logo: picture.url }, ctx.clock.now())
  })
}

/**
 * The same installation with its own clock, a year behind. A running server would see its payments and refunds as
 * unresolved for a year, so their reconciliation waits until they are settled here.
 */
function yearAgo(ctx: Context): Context {
  const clock = standingClock(after(ctx.clock.now(), -days(365)))
  const transaction: Context['transaction'] = (work) =>
    ctx.transaction(async (tx) => {
      const result = await work(tx)
      await tx
        .updateTable('job')
        .set({ runAt: after(ctx.clock.now(), hours(1)) })
        .where('kind', 'in', ['reconcile-payment', 'reconcile-refund'])
        .where('createdAt', '=', clock.now())
        .execute()
      return result
    })
  return { ...ctx, clock, transaction, payments: createPayments(withoutEvents(ctx.config), { ...ctx, clock }) }
}

/** Advances to a later moment; abandoned checkouts expire on the way, each at its time. */
async function passTime(past: Context, organizationId: Id<'organization'>, until: Date): Promise<void> {
  const goTo = (at: Date) => past.clock.advance(at.getTime() - past.clock.now().getTime())
  let next = await endCheckouts(past, organizationId)
  while (next && next <= until) {
    goTo(next)
    next = await endCheckouts(past, organizationId)
  }
  goTo(until)
}

/** The processor's answers already contain its later events. An event sent now would settle at the current time. */
const withoutEvents = (config: Config): Config =>
  config.billing === false
    ? config
    : {
        ...config,
        billing: {
          ...config.billing,
          processors: { ...config.billing.processors, sandbox: { events: 'never', eventDelay: 0 } },
        },
      }

type Shop = {
  /** Calls the API for the organization. */
  call<Name extends BillingCallName>(
    name: Name,
    input: BillingInput<Name>,
  ): Promise<AnswerOf<(typeof billingSchemas)[Name]>>
}

const shopOf = (ctx: Context, organizationId: Id<'organization'>): Shop => ({
  call: async (name, input) => {
    const { answer } = await dispatch(ctx, billingApi, name, { ...input, query: { ...input.query, organizationId } })
    return answer
  },
})

type Products = Readonly<Record<DemoProductName, string>>

/** Creates all products; returns their ids by their demo names. */
async function stock(shop: Shop): Promise<Products> {
  const { id: meterId } = await shop.call('createMeter', { body: demoMeter })
  const fields: Record<string, string> = {}
  for (const [name, field] of Object.entries(demoFields)) {
    const { id } = await shop.call('createCustomField', { body: field })
    fields[name] = id
  }
  const made: Partial<Record<DemoProductName, string>> = {}
  for (const name of namesOf<DemoProductName>(demoProducts)) {
    const { perCall, asks = {}, ...product }: DemoProduct = demoProducts[name]
    const usage = perCall
      ? [{ amountType: 'metered_unit' as const, meterId, unitAmount: perCall, priceCurrency: 'usd' }]
      : []
    const attachedCustomFields = Object.entries(asks).map(([field, required]) => ({
      customFieldId: proven(fields[field], 'the shop has all fields of its products'),
      required,
    }))
    const { id } = await shop.call('createProduct', {
      body: { ...product, prices: [...product.prices, ...usage], attachedCustomFields },
    })
    made[name] = id
  }
  return made as Products // one for each name
}

/** The questions of some products; only their answers count. */
const answers = { 'team-size': '2-10', source: 'A friend', terms: true }

/** One purchase from the first click to the order, or as far as it got. */
async function sell(shop: Shop, products: Products, sale: DemoSale): Promise<void> {
  const { name, email, externalId, billingAddress } = demoCustomer(sale.customer)
  const { id: checkoutId, clientSecret } = await shop.call('createCheckout', {
    body: {
      products: [products[sale.product]],
      customerExternalId: externalId,
      customerEmail: email,
      ...(sale.amount !== undefined && { amount: sale.amount }),
    },
  })
  if (sale.course === 'left') return
  const confirm = (confirmationTokenId: string) =>
    shop.call('confirmClientCheckout', {
      params: { clientSecret },
      body: {
        customerName: name,
        customerBillingAddress: billingAddress,
        customFieldData: answers,
        confirmationTokenId,
        ...(sale.code && { discountCode: sale.code }),
      },
    })
  if (sale.course === 'declined') await confirm('ctoken_sandbox_insufficient_funds').catch(ignoring('PAYMENT_FAILED'))
  // At this moment a running server may find that the checkout expired long ago.
  await confirm('ctoken_sandbox_success').catch(ignoring('EXPIRED_CHECKOUT'))
  if (sale.refund !== undefined) await giveBack(shop, checkoutId, sale.refund)
}

async function giveBack(shop: Shop, checkoutId: Id<'checkout'>, amount: number): Promise<void> {
  const { items } = await shop.call('listOrders', { query: { checkoutId } })
  for (const { id: orderId } of items)
    await shop.call('createRefund', { body: { orderId, amount, reason: 'customer_request' } })
}

const ignoring =
  (name: TollgateError['error']) =>
  (error: unknown): void => {
    if (!(error instanceof TollgateError) || error.error !== name) throw error
  }
