import { Hono } from 'hono'
import type { Context } from '../context.ts'
import { jsonAnswer } from './answer.ts'
import type { RequestEnv } from './request.ts'

/** For load balancers: `live` says that the process answers, `ready` that it can do its work. */
export function health(ctx: Context): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/live', () => jsonAnswer({ status: 'live' }))
  routes.get('/ready', async () => {
    if (ctx.lifecycle.state !== 'serving') return notReady(ctx.lifecycle.state)
    try {
      await ctx.database.ping()
      return jsonAnswer({ status: 'ready' })
    } catch {
      return notReady('no database')
    }
  })
  return routes
}

const notReady = (reason: string): Response => jsonAnswer({ status: 'not ready', reason }, 503, { 'retry-after': '1' })
