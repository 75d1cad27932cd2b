import './dashboard.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { DashboardProps } from '@tollgate/contract/pages'
import { createRoot } from 'react-dom/client'
import { colorScheme } from './color-scheme.ts'
import { createDashboardContext } from './context.ts'
import { CallError, mayRetry } from './queries/answer.ts'
import { createDashboardRouter } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

const props = JSON.parse(document.getElementById('props')?.textContent ?? '') as DashboardProps // our server writes it
const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The scroll lock of dialogs reads its style nonce from this name.
Object.assign(globalThis, { __webpack_nonce__: nonce })

/** A signed-out viewer signs in again and returns to the same page. */
function onError(error: unknown) {
  if (error instanceof CallError && error.status === 401)
    location.assign(`/sign-in?callbackURL=${encodeURIComponent(location.pathname + location.search)}`)
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: { queries: { retry: mayRetry, staleTime: 5_000 }, mutations: { retry: false } },
})
const context = createDashboardContext(props, queries)
const router = createDashboardRouter(context)
const home = props.seller ? `/dashboard/${encodeURIComponent(props.seller.organization.slug)}` : '/admin'

createRoot(document.getElementById('page')!).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    getStyleNonce={() => nonce}
    colorSchemeManager={colorScheme(home, props.scheme)}
    defaultColorScheme="auto"
  >
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
    <Notifications position="bottom-right" autoClose={6_000} />
  </MantineProvider>,
)
