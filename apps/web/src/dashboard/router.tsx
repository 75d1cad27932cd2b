import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { auditSearchIn, eventsQueryOf } from './admin/audit.search.ts'
import { membersSearchIn, organizationsQueryOf, organizationsSearchIn } from './admin/organizations.search.ts'
import { usersQueryOf, usersSearchIn } from './admin/users.search.ts'
import type { DashboardContext } from './context.ts'
import { BrokenPage, NotFoundPage } from './parts/states.tsx'
import { eventsQuery } from './queries/events.ts'
import { organizationQuery, organizationsQuery } from './queries/organizations.ts'
import { userQuery, usersQuery } from './queries/users.ts'
import { parseSearch, stringifySearch } from './search.ts'
import { Shell } from './shell.tsx'

const root = createRootRouteWithContext<DashboardContext>()({
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: BrokenPage,
})

const admin = createRoute({ getParentRoute: () => root, path: '/admin' })

const index = createRoute({
  getParentRoute: () => admin,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/users', replace: true })
  },
})

// Each page asks for its data while its code is still on the way; it waits for the answer itself.
const users = createRoute({
  getParentRoute: () => admin,
  path: 'users',
  validateSearch: usersSearchIn,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, client }, deps }) => {
    void queries.prefetchQuery(usersQuery(client, usersQueryOf(deps)))
  },
  component: lazyRouteComponent(() => import('./admin/users.page.tsx'), 'UsersPage'),
})

const user = createRoute({
  getParentRoute: () => admin,
  path: 'users/$userId',
  loader: ({ context: { queries, client }, params }) => {
    void queries.prefetchQuery(userQuery(client, params.userId))
  },
  component: lazyRouteComponent(() => import('./admin/user.page.tsx'), 'UserPage'),
})

const organizations = createRoute({
  getParentRoute: () => admin,
  path: 'organizations',
  validateSearch: organizationsSearchIn,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, client }, deps }) => {
    void queries.prefetchQuery(organizationsQuery(client, organizationsQueryOf(deps)))
  },
  component: lazyRouteComponent(() => import('./admin/organizations.page.tsx'), 'OrganizationsPage'),
})

const organization = createRoute({
  getParentRoute: () => admin,
  path: 'organizations/$organizationId',
  validateSearch: membersSearchIn,
  loader: ({ context: { queries, client }, params }) => {
    void queries.prefetchQuery(organizationQuery(client, params.organizationId))
  },
  component: lazyRouteComponent(() => import('./admin/organization.page.tsx'), 'OrganizationPage'),
})

const audit = createRoute({
  getParentRoute: () => admin,
  path: 'audit',
  validateSearch: auditSearchIn,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, client }, deps }) => {
    void queries.prefetchQuery(eventsQuery(client, eventsQueryOf(deps)))
  },
  component: lazyRouteComponent(() => import('./admin/audit.page.tsx'), 'AuditPage'),
})

const routeTree = root.addChildren([admin.addChildren([index, users, user, organizations, organization, audit])])

export function createDashboardRouter(context: DashboardContext) {
  return createRouter({
    routeTree,
    context,
    parseSearch,
    stringifySearch,
    // The query cache decides how old an answer may be, not the router.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
}
