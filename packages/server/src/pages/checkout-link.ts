import { Hono } from 'hono'
import { isCheckoutLink, openCheckoutLink } from '../billing/checkout/checkout-link.service.ts'
import type { Context } from '../context.ts'
import type { RequestEnv } from '../http/request.ts'

/** Nobody keeps the answer, and no page is told where the visitor came from: the new address opens a checkout. */
const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/**
 * `/buy/:clientSecret`: whoever follows a checkout link gets a checkout of their own. Only who really comes does: a look by
 * HEAD, or a page that is fetched in case somebody comes, makes none. An unknown link is left to the page that says so.
 */
export function checkoutLinks(ctx: Context): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/:clientSecret', async (c, next) => {
    const { raw } = c.req
    const { remoteAddress } = c.env
    const clientSecret = c.req.param('clientSecret')
    await ctx.limits.request('page /buy/:clientSecret', remoteAddress)
    if (raw.method === 'HEAD' || isPrefetch(raw.headers))
      return (await isCheckoutLink(ctx, clientSecret)) ? new Response(null, { status: 204, headers }) : next()

    const secret = await openCheckoutLink(ctx, clientSecret, new URL(raw.url).searchParams, remoteAddress)
    if (secret === undefined) return next()
    const location = `${ctx.config.baseURL.origin}/checkout/${secret}`
    return new Response(null, { status: 303, headers: { ...headers, location } })
  })
  return routes
}

/** Browsers say so in one of three ways. */
const isPrefetch = (given: Headers): boolean =>
  ['sec-purpose', 'purpose', 'x-moz'].some((name) => /\bpre(fetch|render)\b/i.test(given.get(name) ?? ''))
