import { createHash } from 'node:crypto'
import { Hono, type Context as HonoContext } from 'hono'
import type { Context } from '../../foundation/context.ts'
import type { AnyApi } from '../../foundation/http/api.ts'
import { compressed } from '../../foundation/http/compression.ts'
import type { RequestEnv } from '../../foundation/http/request.ts'
import { loadWebBuild } from '../build.ts'
import { missingBuildAnswer } from '../document.ts'
import { preferencesOf } from '../preferences.ts'
import { callPage, shapePage } from './call-page.ts'
import { guides } from './guides.ts'
import { layout, type ReferencePage } from './layout.ts'
import { createReference, type Reference } from './reference.ts'

const places = { description: '/openapi.json', pages: '/docs' } as const

/** The paths of the API reference. */
export const referencePaths: readonly string[] = Object.values(places)

/**
 * `/openapi.json`, and `/docs` to read it: a page for each call, each shape and each guide. The pages are the same for
 * every reader, so that they are compressed and kept by browsers until they change.
 */
export function apiReference(ctx: Context, apis: readonly AnyApi[]): Hono<RequestEnv> {
  // Made on the first request: most servers never get one.
  let made: Reference | undefined
  const reference = () => {
    made ??= createReference(ctx.config, apis)
    return made
  }
  const page = (c: HonoContext<RequestEnv>, shown: (reference: Reference) => ReferencePage | undefined) => {
    const build = loadWebBuild()
    if (!build) return missingBuildAnswer()
    const found = shown(reference())
    if (!found) return c.notFound()
    const { headers } = c.req.raw
    const { scheme, cookies } = preferencesOf(ctx.config, build.pageLocales, headers, new URL(c.req.url).searchParams)
    const answer = kept(layout(reference(), build.reference, scheme, found), headers, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'strict-origin',
      'cross-origin-opener-policy': 'same-origin',
      vary: 'cookie',
    })
    for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
    return compressed(answer, headers)
  }

  const routes = new Hono<RequestEnv>()
  routes.get(places.description, (c) =>
    compressed(
      kept(reference().description, c.req.raw.headers, { 'content-type': 'application/json' }),
      c.req.raw.headers,
    ),
  )
  routes.get(places.pages, (c) => page(c, (all) => guidePage(all, '')))
  routes.get(`${places.pages}/shapes/:name`, (c) =>
    page(c, (all) => (all.shapes.has(c.req.param('name')) ? shapePage(all, c.req.param('name')) : undefined)),
  )
  routes.get(`${places.pages}/:name`, (c) =>
    page(c, (all) => {
      const call = all.calls.get(c.req.param('name'))
      return call ? callPage(all, call) : guidePage(all, c.req.param('name'))
    }),
  )
  return routes
}

function guidePage(reference: Reference, name: string): ReferencePage | undefined {
  const guide = Object.hasOwn(guides, name) ? guides[name] : undefined
  return guide && { title: name === '' ? reference.title : guide.title, name, text: guide.html(reference) }
}

/** Everything comes from this server, and no script or style stands in the page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** An answer that the browser asks for again only when it has changed. */
function kept(text: string, request: Headers, headers: Record<string, string>): Response {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  const all = { ...headers, etag: tag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }
  const known = request.get('if-none-match')?.replaceAll('W/', '') ?? ''
  if (known.split(/\s*,\s*/).includes(tag)) return new Response(null, { status: 304, headers: all })
  return new Response(text, { headers: all })
}
