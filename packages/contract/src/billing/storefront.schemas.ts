import { z } from 'zod'
import { brand } from '../brand/brand.schemas.ts'
import type { Endpoint } from '../endpoint.ts'
import { storable } from '../fields.ts'
import { currency, id } from './fields.ts'
import { checkoutProduct } from './product.schemas.ts'
import type { storefrontCalls } from './storefront.calls.ts'

const bySlug = z.object({ slug: storable(64) })
const refusals = ['RESOURCE_NOT_FOUND', 'REQUEST_INVALID'] as const

/** Bodies, answers and refusals of an organization's pricing page. */
export const storefrontSchemas = {
  getStorefront: {
    summary: 'Returns an organization’s public shop: its active products with their prices.',
    params: bySlug,
    query: z.object({ currency: currency.optional() }),
    output: z.object({
      organization: z.object({
        name: z.string(),
        slug: z.string(),
        avatarUrl: z.string().nullable(),
        website: z.string().nullable(),
        brand,
      }),
      /** Each with its prices in one currency: the one asked for, that of the visitor's country, or the default. */
      products: z.array(checkoutProduct),
      /** The currency of the prices, and all that the visitor may ask for; both absent without a choice. */
      currency: z.string().optional(),
      currencies: z.array(z.string()).optional(),
      /** Products that the signed-in visitor subscribes to; empty for other visitors. */
      currentProductIds: z.array(z.string()),
    }),
    errors: refusals,
  },
  createStorefrontCheckout: {
    summary: 'Creates a checkout for a product of a pricing page.',
    params: bySlug,
    body: z.object({ productId: id, currency: currency.nullish() }),
    output: z.object({ clientSecret: z.string(), url: z.string() }),
    errors: [
      ...refusals,
      'MALFORMED_JSON',
      'JSON_TOO_DEEP',
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'INVALID_ORIGIN',
      'ALREADY_ACTIVE_SUBSCRIPTION',
    ],
  },
} as const satisfies Record<keyof typeof storefrontCalls, Endpoint>
