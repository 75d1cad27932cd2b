import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { answer } from './answer.ts'

// The router Tollgate is built on, with the same answer and nothing else.

const app = new Hono()
app.get('/api/auth/get-session', (c) => c.body(answer, 200, { 'content-type': 'application/json' }))
app.get('/api/auth/ok', (c) => c.json({ ok: true }))

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
process.on('SIGTERM', () => process.exit())
