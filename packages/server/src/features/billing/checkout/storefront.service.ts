import type { Product } from '@tollgate/contract/billing-types'
import { noBrand } from '@tollgate/contract/brand'
import type { Context } from '../../../foundation/context.ts'
import type { Id } from '../../../foundation/db/database.ts'
import type { SessionRow } from '../../../foundation/db/session-row.ts'
import { TollgateError } from '../../../foundation/error.ts'
import type { Caller } from '../../../foundation/http/handler.ts'
import { likelyCountry } from '../../../foundation/http/likely-country.ts'
import { findCurrentSession } from '../../identity/session.service.ts'
import { currenciesOf, currencyFor, pricesShownIn } from '../catalog/offered-prices.ts'
import { listInOrder } from '../catalog/product.repository.ts'
import { readProducts } from '../catalog/product.service.ts'
import { maySell } from '../merchant/may-sell.service.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { sellerOfObject } from '../seller/seller.service.ts'
import { createCheckoutBy } from './checkout.service.ts'
import { findStorefront, isOffered, listSubscribed } from './storefront.repository.ts'

/** Maximum products on a pricing page; larger sellers build their own shop. */
const offerLimit = 50

/**
 * Returns an organization's public offer (frontend, 2.4 "Pricing page"). An unapproved organization is refused like a
 * missing one.
 */
export const getStorefront: BillingHandler<'getStorefront'> = async ({ ctx, caller, params: { slug }, query }) => {
  const { id, name, slug: written, logo, website, brand } = await requireStorefront(ctx, slug)
  const offered = (await listInOrder(ctx.db, id, offerLimit)).map((product) => product.id)
  const [products, session] = await Promise.all([readProducts(ctx.db, id, offered), findCurrentSession(ctx, caller)])
  const offer = offered.flatMap((each) => products.get(each) ?? [])
  const { currency, currencies } = await currencyOfOffer(ctx, id, offer, query.currency, caller)
  return {
    organization: { name, slug: written, avatarUrl: logo, website, brand: brand ?? noBrand },
    products: offer.map(({ metadata: _, attachedCustomFields: __, ...product }) => ({
      ...product,
      // A trial whose last moment has passed is offered no longer.
      trialUntil:
        product.trialUntil !== null && new Date(product.trialUntil) > ctx.clock.now() ? product.trialUntil : null,
      prices: pricesShownIn(product, currency),
    })),
    ...(offer.some((product) => currenciesOf(product).length > 1) && { currency, currencies }),
    currentProductIds: session ? await listSubscribed(ctx.db, id, subscriberOf(session)) : [],
  }
}

/** All currencies of an offer, and the one to show: the visitor's choice, that of their country, or the default. */
async function currencyOfOffer(
  ctx: Context,
  organizationId: Id<'organization'>,
  offer: readonly Product[],
  asked: string | undefined,
  { headers }: Pick<Caller, 'headers'>,
): Promise<{ currency: string; currencies: string[] }> {
  const all = { prices: offer.flatMap(({ prices }) => prices) }
  const currencies = currenciesOf(all)
  if (asked !== undefined && currencies.includes(asked)) return { currency: asked, currencies }
  const { name: processor } = ctx.payments.forNewCheckouts
  const choosing = { ctx, db: ctx.db, organizationId, processor }
  return { currency: await currencyFor(choosing, all, likelyCountry(headers) ?? null), currencies }
}

/** The signed-in user, and the active organization if they are its member. */
const subscriberOf = ({ user, active }: SessionRow) => ({ userId: user.id, organizationId: active?.organizationId })

/** Starts a checkout of one product for sale; opening it links a signed-in buyer. */
export const createStorefrontCheckout: BillingHandler<'createStorefrontCheckout'> = async ({
  ctx,
  caller,
  params,
  body,
}) => {
  const { slug } = params
  const { productId, currency } = body
  const { id } = await requireStorefront(ctx, slug)
  if (!(await isOffered(ctx.db, id, productId))) throw new TollgateError('RESOURCE_NOT_FOUND')
  const seller = sellerOfObject({ organizationId: id })
  const { clientSecret, url } = await createCheckoutBy(
    'visitor',
    ctx,
    seller,
    { products: [productId], currency },
    likelyCountry(caller.headers) ?? null,
  )
  return { clientSecret, url }
}

async function requireStorefront(ctx: Context, slug: string) {
  const found = await findStorefront(ctx.db, slug)
  if (!found || !maySell(ctx, found)) throw new TollgateError('RESOURCE_NOT_FOUND')
  return found
}
