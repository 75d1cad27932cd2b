import { Hono } from 'hono'
import type { Context } from '../../context.ts'
import { TollgateError } from '../../error.ts'
import type { RequestEnv } from '../../http/request.ts'
import { readDocument } from './document.service.ts'

/**
 * Documents at `/documents/:id/:token.pdf`, for whoever holds the link while it works. Nobody keeps a copy on the way, and
 * nothing in one is run.
 */
export function documents(ctx: Context): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/:id/:file{.+\\.pdf}', async (c) => {
    await ctx.limits.request('/documents', c.env.remoteAddress)
    const token = c.req.param('file').replace(/\.pdf$/, '')
    const document = await readDocument(ctx, c.req.param('id'), token)
    if (!document) throw new TollgateError('NOT_FOUND')
    return new Response(document.pdf, {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${document.name}"`,
        'content-length': String(document.pdf.length),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        // Neither a sandbox nor without objects: there, some browsers' own reader of documents shows nothing.
        'content-security-policy':
          "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      },
    })
  })
  return routes
}
