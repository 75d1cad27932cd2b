import { Hono } from 'hono'
import type { Context } from '../../../foundation/context.ts'
import { TollgateError } from '../../../foundation/error.ts'
import type { RequestEnv } from '../../../foundation/http/request.ts'
import { readDocument } from './document.service.ts'

/**
 * Documents at `/documents/:id/:token.pdf`; a valid link is sufficient authorization. No cache keeps a copy, and no
 * script in it runs.
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
        // No sandbox, and objects stay allowed: otherwise the built-in PDF viewers of some browsers show nothing.
        'content-security-policy':
          "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      },
    })
  })
  return routes
}
