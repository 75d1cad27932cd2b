import { createRoute } from '@tanstack/react-router'
import { attentionQueryOf, attentionSearchIn } from '../admin/attention/attention.search.ts'
import { auditSearchIn, eventsQueryOf } from '../admin/audit/audit.search.ts'
import { disputesQueryOf, disputesSearchIn } from '../admin/disputes/disputes.search.ts'
import { jobsQueryOf, jobsSearchIn } from '../admin/jobs/jobs.search.ts'
import { membersSearchIn, organizations } from '../admin/organizations/organizations.resource.ts'
import { users } from '../admin/users/users.resource.ts'
import { openDisputesQuery } from '../queries/disputes.ts'
import { eventsQuery } from '../queries/events.ts'
import { brandQuery, installationQuery } from '../queries/installation.ts'
import { deadJobsQuery } from '../queries/jobs.ts'
import { moneyToCheckQuery } from '../queries/money-to-check.ts'
import { organizationQuery } from '../queries/organizations.ts'
import { userQuery } from '../queries/users.ts'
import { page, root } from './root.ts'

const admin = createRoute({ getParentRoute: () => root, path: '/admin' })

const home = createRoute({
  getParentRoute: () => admin,
  path: '/',
  loader: ({ context: { queries, client } }) => {
    void queries.prefetchQuery(installationQuery(client))
  },
  component: page(() => import('../admin/home/home.page.tsx'), 'HomePage'),
})

// Each page starts loading its data with its code, and awaits the data itself.
const usersList = createRoute({
  getParentRoute: () => admin,
  path: 'users',
  validateSearch: users.searchIn,
  loader: ({ context, location }) => {
    users.preload(context, users.searchIn(location.search))
  },
  component: page(() => import('../admin/users/users.page.tsx'), 'UsersPage'),
})

const user = createRoute({
  getParentRoute: () => admin,
  path: 'users/$userId',
  loader: ({ context: { queries, client }, params }) => {
    void queries.prefetchQuery(userQuery(client, params.userId))
  },
  component: page(() => import('../admin/users/user.page.tsx'), 'UserPage'),
})

const organizationsList = createRoute({
  getParentRoute: () => admin,
  path: 'organizations',
  validateSearch: organizations.searchIn,
  loader: ({ context, location }) => {
    organizations.preload(context, organizations.searchIn(location.search))
  },
  component: page(() => import('../admin/organizations/organizations.page.tsx'), 'OrganizationsPage'),
})

const organization = createRoute({
  getParentRoute: () => admin,
  path: 'organizations/$organizationId',
  validateSearch: membersSearchIn,
  loader: ({ context: { queries, client }, params }) => {
    void queries.prefetchQuery(organizationQuery(client, params.organizationId))
  },
  component: page(() => import('../admin/organizations/organization.page.tsx'), 'OrganizationPage'),
})

const brand = createRoute({
  getParentRoute: () => admin,
  path: 'brand',
  loader: ({ context: { queries, client } }) => {
    void queries.prefetchQuery(brandQuery(client))
  },
  component: page(() => import('../admin/brand/brand.page.tsx'), 'BrandPage'),
})

const audit = createRoute({
  getParentRoute: () => admin,
  path: 'audit',
  validateSearch: auditSearchIn,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, client }, deps }) => {
    void queries.prefetchQuery(eventsQuery(client, eventsQueryOf(deps)))
  },
  component: page(() => import('../admin/audit/audit.page.tsx'), 'AuditPage'),
})

const jobs = createRoute({
  getParentRoute: () => admin,
  path: 'jobs',
  validateSearch: jobsSearchIn,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, client }, deps }) => {
    void queries.prefetchQuery(deadJobsQuery(client, jobsQueryOf(deps)))
  },
  component: page(() => import('../admin/jobs/jobs.page.tsx'), 'JobsPage'),
})

const openDisputes = createRoute({
  getParentRoute: () => admin,
  path: 'disputes',
  validateSearch: disputesSearchIn,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, client }, deps }) => {
    void queries.prefetchQuery(openDisputesQuery(client, disputesQueryOf(deps)))
  },
  component: page(() => import('../admin/disputes/disputes.page.tsx'), 'DisputesPage'),
})

const attention = createRoute({
  getParentRoute: () => admin,
  path: 'attention',
  validateSearch: attentionSearchIn,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries, client }, deps }) => {
    void queries.prefetchQuery(moneyToCheckQuery(client, attentionQueryOf(deps)))
  },
  component: page(() => import('../admin/attention/attention.page.tsx'), 'AttentionPage'),
})

/** The pages of the installation's administrators. */
export const adminRoutes = admin.addChildren([
  home,
  usersList,
  user,
  organizationsList,
  organization,
  audit,
  jobs,
  openDisputes,
  attention,
  brand,
])
