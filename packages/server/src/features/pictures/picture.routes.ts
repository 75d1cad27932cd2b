import { Hono, type Context as HonoContext } from 'hono'
import type { Context } from '../../foundation/context.ts'
import { TollgateError } from '../../foundation/error.ts'
import { pictureHeaders } from '../../foundation/http/picture-headers.ts'
import type { RequestEnv } from '../../foundation/http/request.ts'
import { findPicture } from './picture.repository.ts'

/** Uploaded pictures at `/pictures/:id.jpg`; the ending is for mail programs and people. */
export function pictures(ctx: Context): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/:file', (c) => showPicture(ctx, c))
  return routes
}

async function showPicture(ctx: Context, c: HonoContext<RequestEnv, '/:file'>): Promise<Response> {
  const [, id] = /^([\w-]{1,64})\.(?:jpg|png)$/.exec(c.req.param('file')) ?? []
  const picture = id === undefined ? undefined : await findPicture(ctx.db, id)
  if (!picture) throw new TollgateError('NOT_FOUND')
  const bytes = Buffer.from(picture.content, 'base64')
  return new Response(c.req.method === 'HEAD' ? null : bytes, {
    headers: {
      ...pictureHeaders,
      'content-type': picture.mediaType,
      'content-length': String(bytes.byteLength),
    },
  })
}
