import { noBrand } from '@tollgate/contract/brand'
import type { Context } from '../../../foundation/context.ts'
import type { SessionRow } from '../../../foundation/db/session-row.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { findCurrentSession } from '../../identity/session.service.ts'
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
export const getStorefront: BillingHandler<'getStorefront'> = async ({ ctx, caller, params: { slug } }) => {
  const { id, name, slug: written, logo, website, brand } = await requireStorefront(ctx, slug)
  const offered = (await listInOrder(ctx.db, id, offerLimit)).map((product) => product.id)
  const [products, session] = await Promise.all([readProducts(ctx.db, id, offered), findCurrentSession(ctx, caller)])
  return {
    organization: { name, slug: written, avatarUrl: logo, website, brand: brand ?? noBrand },
    products: offered.flatMap((each) => {
      const product = products.get(each)
      if (!product) return []
      const { metadata: _, attachedCustomFields: __, ...offer } = product
      return [offer]
    }),
    currentProductIds: session ? await listSubscribed(ctx.db, id, subscriberOf(session)) : [],
  }
}

/** The signed-in user, and the active organization if they are its member. */
const subscriberOf = ({ user, active }: SessionRow) => ({ userId: user.id, organizationId: active?.organizationId })

/** Starts a checkout of one product for sale; opening it links a signed-in buyer. */
export const createStorefrontCheckout: BillingHandler<'createStorefrontCheckout'> = async ({ ctx, params, body }) => {
  const { slug } = params
  const { productId } = body
  const { id } = await requireStorefront(ctx, slug)
  if (!(await isOffered(ctx.db, id, productId))) throw new TollgateError('RESOURCE_NOT_FOUND')
  const seller = sellerOfObject({ organizationId: id })
  const { clientSecret, url } = await createCheckoutBy('visitor', ctx, seller, { products: [productId] })
  return { clientSecret, url }
}

async function requireStorefront(ctx: Context, slug: string) {
  const found = await findStorefront(ctx.db, slug)
  if (!found || !maySell(ctx, found)) throw new TollgateError('RESOURCE_NOT_FOUND')
  return found
}
