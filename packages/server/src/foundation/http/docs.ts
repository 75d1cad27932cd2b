import { Hono } from 'hono'
import type { Context } from '../context.ts'
import { randomKey } from '../ids.ts'
import type { AnyApi } from './api.ts'
import { docsPage, docsScript } from './docs-page.ts'
import { openApi } from './openapi.ts'
import type { RequestEnv } from './request.ts'

const places = { description: '/openapi.json', script: '/docs.js', page: '/docs' } as const

/** The answers of `apiDocs`. */
export const docsPaths: readonly string[] = Object.values(places)

/** `/openapi.json`, and `/docs` to read and try it; this server serves every file of the page. */
export function apiDocs(ctx: Context, apis: readonly AnyApi[]): Hono<RequestEnv> {
  // Built on the first request: most servers never get one.
  let made: ReturnType<typeof described> | undefined
  const once = () => {
    made ??= described(ctx, apis)
    return made
  }
  const routes = new Hono<RequestEnv>()
  routes.get(
    places.description,
    () =>
      new Response(once().text, {
        headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
      }),
  )
  routes.get(
    places.script,
    () => new Response(docsScript, { headers: { 'content-type': 'text/javascript; charset=utf-8' } }),
  )
  routes.get(places.page, () => {
    const nonce = randomKey(16).toString('base64')
    return new Response(docsPage(once().description, nonce), {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin',
      },
    })
  })
  return routes
}

function described({ config }: Context, apis: readonly AnyApi[]) {
  const description = openApi(config, apis)
  return { description, text: JSON.stringify(description) }
}
