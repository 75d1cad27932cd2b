import { Hono } from 'hono'
import { isCheckoutLink, openCheckoutLink } from '../features/billing/checkout/checkout-link.service.ts'
import type { Context } from '../foundation/context.ts'
import { likelyCountry } from '../foundation/http/likely-country.ts'
import type { RequestEnv } from '../foundation/http/request.ts'

/** The redirect opens a checkout for one buyer: it is not cached, and the next page gets no referrer. */
const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/**
 * `/buy/:clientSecret` creates a checkout for each visitor who follows the link. HEAD requests and prefetches create
 * none. For an unknown link the next route answers.
 */
export function checkoutLinks(ctx: Context): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/:clientSecret', async (c, next) => {
    const { raw } = c.req
    const { remoteAddress } = c.env
    const clientSecret = c.req.param('clientSecret')
    await ctx.limits.request('page /buy/:clientSecret', remoteAddress, 'visit')
    if (raw.method === 'HEAD' || isPrefetch(raw.headers))
      return (await isCheckoutLink(ctx, clientSecret)) ? new Response(null, { status: 204, headers }) : next()

    const secret = await openCheckoutLink(ctx, clientSecret, new URL(raw.url).searchParams, {
      ipAddress: remoteAddress,
      country: likelyCountry(raw.headers),
    })
    if (secret === undefined) return next()
    const location = `${ctx.config.baseURL.origin}/checkout/${secret}`
    return new Response(null, { status: 303, headers: { ...headers, location } })
  })
  return routes
}

/** Browsers mark a prefetch with one of three headers. */
const isPrefetch = (given: Headers): boolean =>
  ['sec-purpose', 'purpose', 'x-moz'].some((name) => /\bpre(fetch|render)\b/i.test(given.get(name) ?? ''))
