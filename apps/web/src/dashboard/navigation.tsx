import {
  IconAdjustments,
  IconArrowBackUp,
  IconBuilding,
  IconBuildingBank,
  IconCreditCard,
  IconForms,
  IconGauge,
  IconGavel,
  IconHierarchy2,
  IconHistory,
  IconId,
  IconKey,
  IconLayoutDashboard,
  IconLink,
  IconListCheck,
  IconMail,
  IconPackage,
  IconReceipt,
  IconReceiptTax,
  IconRefresh,
  IconShieldLock,
  IconTag,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type DashboardContext, useDashboard } from './context.ts'
import { useBrokenEndpoints, useOpenDisputes } from './queries/attention.ts'
import { openDisputesQuery } from './queries/disputes.ts'
import { deadJobsQuery } from './queries/jobs.ts'
import { number, texts } from './texts.ts'

/** A page of the navigation. `key` follows `g` as a shortcut. */
export type Entry = {
  readonly to: keyof typeof icons
  readonly label: string
  readonly key: string
  /** The resource that the page needs to read; settings and the overview are open to every member. */
  readonly resource?: string
}

type Group = { readonly title: string; readonly entries: readonly Entry[] }

const { shell } = texts

const icons = {
  '/admin': IconLayoutDashboard,
  '/admin/users': IconUsers,
  '/admin/organizations': IconBuilding,
  '/admin/audit': IconHistory,
  '/admin/jobs': IconListCheck,
  '/admin/disputes': IconGavel,
  '/dashboard/$slug': IconLayoutDashboard,
  '/dashboard/$slug/activity': IconHistory,
  '/dashboard/$slug/products': IconPackage,
  '/dashboard/$slug/customers': IconUsers,
  '/dashboard/$slug/orders': IconReceipt,
  '/dashboard/$slug/subscriptions': IconRefresh,
  '/dashboard/$slug/payments': IconCreditCard,
  '/dashboard/$slug/refunds': IconArrowBackUp,
  '/dashboard/$slug/discounts': IconTag,
  '/dashboard/$slug/checkout-links': IconLink,
  '/dashboard/$slug/custom-fields': IconForms,
  '/dashboard/$slug/meters': IconGauge,
  '/dashboard/$slug/tokens': IconKey,
  '/dashboard/$slug/webhooks': IconWebhook,
  '/dashboard/$slug/processors': IconBuildingBank,
  '/dashboard/$slug/tax': IconReceiptTax,
  '/dashboard/$slug/settings': IconAdjustments,
} as const

/** The admin navigation; add groups and entries here. */
const administration: readonly Group[] = [
  {
    title: shell.accounts,
    entries: [
      { to: '/admin', label: shell.home, key: 'h' },
      { to: '/admin/users', label: shell.users, key: 'u' },
      { to: '/admin/organizations', label: shell.organizations, key: 'r' },
      { to: '/admin/audit', label: shell.audit, key: 'a' },
      { to: '/admin/disputes', label: shell.disputes, key: 'd' },
      { to: '/admin/jobs', label: shell.jobs, key: 'j' },
    ],
  },
]

/** The navigation of a selling organization. */
const selling: readonly Group[] = [
  {
    title: shell.selling,
    entries: [
      { to: '/dashboard/$slug', label: shell.overview, key: 'h' },
      { to: '/dashboard/$slug/activity', label: shell.activity, key: 'a', resource: 'customer' },
      { to: '/dashboard/$slug/products', label: shell.products, key: 'p', resource: 'product' },
      { to: '/dashboard/$slug/customers', label: shell.customers, key: 'c', resource: 'customer' },
      { to: '/dashboard/$slug/orders', label: shell.orders, key: 'o', resource: 'order' },
      { to: '/dashboard/$slug/subscriptions', label: shell.subscriptions, key: 's', resource: 'subscription' },
      { to: '/dashboard/$slug/payments', label: shell.payments, key: 'y', resource: 'order' },
      { to: '/dashboard/$slug/refunds', label: shell.refunds, key: 'r', resource: 'order' },
      { to: '/dashboard/$slug/discounts', label: shell.discounts, key: 'd', resource: 'discount' },
      { to: '/dashboard/$slug/checkout-links', label: shell.checkoutLinks, key: 'l', resource: 'product' },
      { to: '/dashboard/$slug/custom-fields', label: shell.customFields, key: 'f', resource: 'product' },
      { to: '/dashboard/$slug/meters', label: shell.meters, key: 'm', resource: 'meter' },
    ],
  },
  {
    title: shell.developers,
    entries: [
      { to: '/dashboard/$slug/tokens', label: shell.tokens, key: 't', resource: 'token' },
      { to: '/dashboard/$slug/webhooks', label: shell.webhooks, key: 'w', resource: 'webhook' },
    ],
  },
  {
    title: shell.organization,
    entries: [
      { to: '/dashboard/$slug/processors', label: shell.processors, key: 'x', resource: 'order' },
      { to: '/dashboard/$slug/tax', label: shell.tax, key: 'v' },
      { to: '/dashboard/$slug/settings', label: shell.settings, key: 'e' },
    ],
  },
]

/** A page of the organization's people. It has a document of its own, which also works without a script. */
type PeopleEntry = {
  readonly section: string
  readonly label: string
  readonly icon: typeof IconMail
  /** What the viewer needs to see the page; every member sees the others. */
  readonly needs?: readonly [resource: string, action: string]
}

const people: readonly PeopleEntry[] = [
  { section: 'members', label: shell.members, icon: IconUsersGroup },
  { section: 'invitations', label: shell.invitations, icon: IconMail },
  { section: 'teams', label: shell.teams, icon: IconHierarchy2 },
  { section: 'roles', label: shell.roles, icon: IconShieldLock, needs: ['ac', 'read'] },
  { section: 'settings', label: shell.profile, icon: IconId, needs: ['organization', 'update'] },
  { section: 'audit', label: shell.audit, icon: IconHistory, needs: ['audit', 'read'] },
]

/** The pages of the selling organization's people that the viewer may see; none for administrators. */
export function peopleOf({ props: { seller } }: DashboardContext) {
  if (!seller) return []
  const base = `/org/${encodeURIComponent(seller.organization.slug)}`
  const isOffered = ({ section, needs }: PeopleEntry): boolean => {
    if (section === 'teams') return seller.teams
    return needs === undefined || (seller.permissions[needs[0]]?.includes(needs[1]) ?? false)
  }
  return people.filter(isOffered).map(({ section, label, icon }) => ({ href: `${base}/${section}`, label, icon }))
}

/** The groups without pages that the viewer may not see. */
export function groupsOf({ props: { administration: admin, seller } }: DashboardContext): readonly Group[] {
  const isOffered = ({ to, resource }: Entry): boolean => {
    if (to === '/admin/organizations') return admin?.features.organizations ?? false
    if (to === '/admin/disputes') return admin?.features.billing ?? false
    if (!seller) return true
    if (!seller.maySell) return to === '/dashboard/$slug/settings'
    return resource === undefined || (seller.permissions[resource]?.includes('read') ?? false)
  }
  return (seller ? selling : administration)
    .map(({ title, entries }) => ({ title, entries: entries.filter(isOffered) }))
    .filter(({ entries }) => entries.length > 0)
}

/** The pages by group; `onFollow` closes the surrounding drawer. */
export function Groups({ onFollow }: { onFollow?: (() => void) | undefined }) {
  const context = useDashboard()
  const slug = context.props.seller?.organization.slug ?? ''
  const pagesOfPeople = peopleOf(context)
  return (
    <nav aria-label={shell.navigation}>
      {groupsOf(context).map(({ title, entries }) => (
        <div key={title} className="nav-group">
          <h2>{title}</h2>
          <ul>
            {entries.map(({ to, label }) => {
              const Icon = icons[to]
              return (
                <li key={to}>
                  <Link
                    to={to}
                    params={{ slug }}
                    className="nav-link"
                    preload="intent"
                    activeOptions={{ exact: to === '/dashboard/$slug' || to === '/admin', includeSearch: false }}
                    {...(onFollow && { onClick: onFollow })}
                  >
                    <Icon size={17} stroke={1.6} aria-hidden />
                    {label}
                    {to === '/admin/jobs' ? <FailingJobs /> : null}
                    {to === '/admin/disputes' ? <DisputesToAnswer /> : null}
                    {to === '/dashboard/$slug/refunds' ? <OpenDisputes /> : null}
                    {to === '/dashboard/$slug/webhooks' ? <BrokenEndpoints /> : null}
                  </Link>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
      {pagesOfPeople.length > 0 ? (
        <div className="nav-group">
          <h2>{shell.peopleTitle}</h2>
          <ul>
            {pagesOfPeople.map(({ href, label, icon: Icon }) => (
              <li key={href}>
                <a href={href} className="nav-link">
                  <Icon size={17} stroke={1.6} aria-hidden />
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </nav>
  )
}

/** The number of dead and failing jobs; nothing if there are none or the number is unknown. */
function FailingJobs() {
  const { client } = useDashboard()
  const { data } = useQuery({ ...deadJobsQuery(client, { limit: 1 }), staleTime: 60_000 })
  const count = data ? data.counts.reduce((sum, each) => sum + each.count, data.failing.length) : 0
  return <Count of={count} title={shell.failingJobs(count)} />
}

function DisputesToAnswer() {
  const { client } = useDashboard()
  const { data } = useQuery({ ...openDisputesQuery(client, { limit: 1 }), staleTime: 60_000 })
  const count = data?.toAnswer ?? 0
  return <Count of={count} title={shell.disputesToAnswer(count)} />
}

function OpenDisputes() {
  const length = useOpenDisputes()?.length ?? 0
  return <Count of={length} title={shell.openDisputes(length)} />
}

function BrokenEndpoints() {
  const length = useBrokenEndpoints()?.length ?? 0
  return <Count of={length} title={shell.brokenEndpoints(length)} />
}

/** The number of items that need attention; nothing for zero. */
function Count({ of: count, title }: { of: number; title: string }) {
  if (count === 0) return null
  return (
    <span className="count" title={title}>
      {number.format(count)}
      <span className="visually-hidden"> ({title})</span>
    </span>
  )
}
