import { createRouter, type RouterHistory } from '@tanstack/react-router'
import type { DashboardContext } from './context.ts'
import { adminRoutes } from './routes/admin.ts'
import { root } from './routes/root.ts'
import { sellerRoutes } from './routes/seller.ts'
import { parseSearch, stringifySearch } from './search.ts'

const routeTree = root.addChildren([adminRoutes, sellerRoutes])

/** `history` says where a page is drawn that no browser shows yet. */
export function createDashboardRouter(context: DashboardContext, history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history && { history }),
    context,
    parseSearch,
    stringifySearch,
    // The query cache decides on freshness, not the router.
    defaultPreloadStaleTime: 0,
    // The first page is drawn without a script, so it has no place to go back to.
    scrollRestoration: history === undefined,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
}
