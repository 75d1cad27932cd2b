import './dashboard.css'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { DashboardProps, DrawnDashboard } from '@tollgate/contract/pages'
import { createRoot } from 'react-dom/client'
import { keepZone } from '../keep-zone.ts'
import { createDashboardContext } from './context.ts'
import { Dashboard } from './frame.tsx'
import { CallError, mayRetry } from './queries/answer.ts'
import { createDashboardRouter } from './router.tsx'

const handed = (id: string) => JSON.parse(document.getElementById(id)?.textContent ?? 'null')
const props = handed('props') as DashboardProps // our server writes both
const data = handed('data') as DrawnDashboard['data'] | null // where it has drawn a picture
const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The scroll lock of dialogs reads its style nonce from this name.
Object.assign(globalThis, { __webpack_nonce__: nonce })

// It may have changed since the visitor signed in.
keepZone()

/** A signed-out viewer signs in again and returns to the same page. */
function onError(error: unknown) {
  if (error instanceof CallError && error.status === 401)
    location.assign(`/sign-in?callbackURL=${encodeURIComponent(location.pathname + location.search)}`)
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // Without a connection a call fails at once, and says so; a paused one would seem to load for ever.
    queries: { retry: mayRetry, staleTime: 5_000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { retry: false, networkMode: 'always' },
  },
})
for (const [key, answer] of data ?? []) queries.setQueryData(key, answer)

const context = createDashboardContext(props, queries, (url, init) => fetch(url, init))
const router = createDashboardRouter(context)

/**
 * Draws the page again in place of the server's picture, in one step and from the same data. It takes nothing over,
 * because the clock, the zone and the stored choices are the browser's own.
 */
function draw() {
  const page = document.getElementById('page')!
  createRoot(page).render(<Dashboard props={props} queries={queries} router={router} nonce={nonce} />)
}

// With a picture to look at, the page's own script comes first: without it the page would be empty for a moment.
if (document.getElementById('page')?.hasChildNodes()) void router.load().then(draw)
else draw()
