import { Hono } from 'hono'
import type { Context } from '../context.ts'
import { jsonResponse } from './answer.ts'
import type { RequestEnv } from './request.ts'

/** For load balancers: `live` means that the process answers, `ready` that it can serve requests. */
export function health(ctx: Context): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/live', () => jsonResponse({ status: 'live' }))
  routes.get('/ready', async () => {
    if (ctx.lifecycle.state !== 'serving') return notReady(ctx.lifecycle.state)
    try {
      await ctx.database.ping()
      return jsonResponse({ status: 'ready' })
    } catch {
      return notReady('no database')
    }
  })
  return routes
}

const notReady = (reason: string): Response =>
  jsonResponse({ status: 'not ready', reason }, 503, { 'retry-after': '1' })
