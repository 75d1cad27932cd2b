import { Hono } from 'hono'
import type { Context } from '../../../foundation/context.ts'
import type { RequestEnv } from '../../../foundation/http/request.ts'
import { sha256 } from '../../../foundation/token.ts'

/**
 * Pictures of customers (CUS-2). The server draws them, so no other service learns an address. A picture's name is a
 * hash of the address, and the name alone determines the picture: nothing is stored.
 */

export const avatarPath = '/avatars'

/** URL of the picture for a normalized address. */
export const avatarUrl = ({ config }: Pick<Context, 'config'>, emailKey: string): string =>
  `${config.baseURL.origin}${avatarPath}/${sha256(emailKey)}.svg`

/** Pictures at `/avatars/:hash.svg`. */
export function avatars(): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/:name{[0-9a-f]{64}\\.svg}', (c) => avatarAnswer(c.req.param('name')))
  return routes
}

/** Answers a picture by the last segment of its URL. It never changes, and any site may embed it. */
const avatarAnswer = (name: string): Response =>
  new Response(drawAvatar(name.replace(/\.svg$/, '')), {
    headers: {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    },
  })

const cells = 5
const size = 20

/** Draws the picture for a hash of 64 hex digits: five mirrored rows of squares on a tint taken from the hash. */
export function drawAvatar(hash: string): string {
  const bytes = Buffer.from(hash, 'hex')
  const hue = Math.round((bytes.readUInt16BE(0) / 0xffff) * 360)
  const squares: string[] = []
  for (let row = 0; row < cells; row += 1)
    for (let column = 0; column < cells; column += 1) {
      const mirrored = Math.min(column, cells - 1 - column)
      const isFilled = bytes.readUInt8(2 + row * 3 + mirrored) % 2 === 0
      if (isFilled) squares.push(`M${(column + 1) * size} ${(row + 1) * size}h${size}v${size}h-${size}z`)
    }
  const side = (cells + 2) * size
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" role="img" aria-hidden="true">`,
    `<rect width="${side}" height="${side}" fill="hsl(${hue} 45% 92%)"/>`,
    `<path d="${squares.join('')}" fill="hsl(${hue} 55% 38%)"/>`,
    '</svg>',
  ].join('')
}
