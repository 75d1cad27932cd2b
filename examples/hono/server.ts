import { type HttpBindings, serve } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { createTollgate } from 'tollgate'

const tollgate = await createTollgate({ appName: 'Notes' })
const app = new Hono<{ Bindings: HttpBindings }>()

app.get('/', async (c) => {
  const { response, headers } = await tollgate.api.getSession({ headers: c.req.raw.headers, returnHeaders: true })
  // A session in use is extended now and then; its cookie has to reach the browser.
  for (const cookie of headers.getSetCookie()) c.header('set-cookie', cookie, { append: true })
  return c.html(
    response
      ? html`<h1>Hello, ${response.user.name}</h1><p><a href="/account">Your account</a></p>`
      : html`<h1>Notes</h1><p><a href="/sign-in">Sign in</a> or <a href="/sign-up">sign up</a></p>`,
  )
})

app.get('/api/notes', async (c) => {
  const session = await tollgate.api.getSession({ headers: c.req.raw.headers, query: { disableRefresh: true } })
  if (!session) return c.json({ message: 'Sign in first' }, 401)
  return c.json({ owner: session.user.id, notes: [] })
})

// Tollgate answers everything else: /api/auth/*, the pages and their files.
app.all('*', (c) => tollgate.handler(c.req.raw, { remoteAddress: c.env.incoming.socket.remoteAddress }))

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }, ({ port }) =>
  console.log(`Notes on http://localhost:${port}`),
)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => server.close(() => void tollgate.close()))
}
