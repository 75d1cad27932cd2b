import { Hono, type Context as HonoContext } from 'hono'
import type { Context } from '../../../foundation/context.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { pictureHeaders } from '../../../foundation/http/picture-headers.ts'
import type { RequestEnv } from '../../../foundation/http/request.ts'
import { findFileById } from './file.repository.ts'
import { withoutCameraNotes } from './files/camera-notes.ts'
import { isPicture, isPublic } from './files/file-rules.ts'

/** Public pictures of products and organizations at `/files/:id/:name`; the name is for people. */
export function pictures(ctx: Context): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/:id/:name', (c) => showPicture(ctx, c))
  return routes
}

async function showPicture(ctx: Context, c: HonoContext<RequestEnv, '/:id/:name'>): Promise<Response> {
  const file = await findFileById(ctx.db, c.req.param('id'))
  const isShown = file?.isUploaded && isPublic(file.service) && isPicture(file.mimeType)
  if (!isShown) throw new TollgateError('NOT_FOUND')
  // Not the tag of the stored file, whose bytes differ by the notes of the camera.
  const etag = `"${file.checksumSha256Hex}-shown"`
  if (namesTag(c.req.header('if-none-match'), etag))
    return new Response(null, { status: 304, headers: { ...pictureHeaders, etag } })

  const all = { ...pictureHeaders, etag, 'content-type': file.mimeType, 'content-length': String(file.size) }
  // The body of a HEAD response is never read, so an opened file would stay open.
  if (c.req.method === 'HEAD') return new Response(null, { headers: all })
  const bytes = await ctx.files.open(file.id)
  if (!bytes) throw new TollgateError('NOT_FOUND')
  return new Response(withoutCameraNotes(file.mimeType, bytes), { headers: all })
}

/** RFC 9110, section 13.1.2: any of the tags, weak or not, or `*`. */
const namesTag = (given: string | undefined, etag: string): boolean =>
  given?.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag) ?? false
