import express from 'express'
import { createTollgate, toNodeHandler } from 'tollgate'

const tollgate = await createTollgate({ appName: 'Notes' })
const app = express()

/** Who asks, or null. The answers here set no cookies, so the session is not extended: reads of Tollgate's own do that. */
const sessionOf = (request) =>
  tollgate.api.getSession({ headers: { cookie: request.headers.cookie ?? '' }, query: { disableRefresh: true } })

app.get('/', async (request, response) => {
  const session = await sessionOf(request)
  response.redirect(session ? '/account' : '/sign-in?callbackURL=/notes')
})

/** Lets nobody through who is not signed in. */
async function requireSession(request, response, next) {
  const session = await sessionOf(request)
  if (!session) return response.status(401).json({ message: 'Sign in first' })
  response.locals.user = session.user
  next()
}

// express.json() belongs to your own routes only: Tollgate reads the bodies of its requests itself.
app.use('/notes', express.json(), requireSession)
app.get('/notes', (_request, response) => response.json({ owner: response.locals.user.id, notes: [] }))

// Everything else is Tollgate's: /api/auth/*, the pages and their files.
app.use(toNodeHandler(tollgate))

const port = Number(process.env.PORT ?? 3000)
const server = app.listen(port, '127.0.0.1', () => console.log(`Notes on http://localhost:${port}`))

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => server.close(() => void tollgate.close()))
}
