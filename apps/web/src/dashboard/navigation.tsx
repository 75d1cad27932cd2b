import {
  IconAdjustments,
  IconBuilding,
  IconCoins,
  IconGavel,
  IconHistory,
  IconLayoutDashboard,
  IconListCheck,
  type IconMail,
  IconUsers,
} from '@tabler/icons-react'

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { peopleGroup, placeAddress, type SellingPlace, sellingGroups } from '../organization-places.ts'
import { type DashboardContext, useDashboard } from './context.ts'
import { useBrokenEndpoints, useOpenDisputes } from './queries/attention.ts'
import { openDisputesQuery } from './queries/disputes.ts'
import { deadJobsQuery } from './queries/jobs.ts'
import { moneyToCheckQuery } from './queries/money-to-check.ts'
import { checkoutLinks } from './seller/checkout-links/checkout-links.resource.ts'
import { customFields } from './seller/custom-fields/custom-fields.resource.ts'
import { discounts } from './seller/discounts/discounts.resource.ts'
import { meters } from './seller/meters/meters.resource.ts'
import { products } from './seller/products/products.resource.ts'
import { webhooks } from './seller/webhooks/webhooks.resource.ts'
import { number, texts } from './texts.ts'

/** A page of the navigation. `key` follows `g` as a shortcut. */
export type Entry = {
  readonly to: To
  /** The key of its synonyms; pages of administrators have none. */
  readonly name?: string
  readonly label: string
  readonly key: string
  readonly icon: typeof IconMail
}

type Group = { readonly title: string; readonly entries: readonly Entry[] }

const { shell } = texts

type To =
  | '/admin'
  | '/admin/users'
  | '/admin/organizations'
  | '/admin/audit'
  | '/admin/jobs'
  | '/admin/disputes'
  | '/admin/attention'
  | '/admin/brand'
  | SellingPlace['to']

/** The admin navigation; add groups and entries here. */
const administration: readonly Group[] = [
  {
    title: shell.accounts,
    entries: [
      { to: '/admin', label: shell.home, key: 'h', icon: IconLayoutDashboard },
      { to: '/admin/users', label: shell.users, key: 'u', icon: IconUsers },
      { to: '/admin/organizations', label: shell.organizations, key: 'r', icon: IconBuilding },
      { to: '/admin/audit', label: shell.audit, key: 'a', icon: IconHistory },
      { to: '/admin/disputes', label: shell.disputes, key: 'd', icon: IconGavel },
      { to: '/admin/attention', label: shell.moneyToCheck, key: 'm', icon: IconCoins },
      { to: '/admin/jobs', label: shell.jobs, key: 'j', icon: IconListCheck },
      { to: '/admin/brand', label: shell.brand, key: 'b', icon: IconAdjustments },
    ],
  },
]

/** The pages of the selling organization's people that the viewer may see; none for administrators. */
export function peopleOf({ props: { seller } }: DashboardContext) {
  if (!seller) return []
  const { organization, counts } = seller
  const { slug } = organization
  return peopleGroup(seller).places.map(({ name, to, icon }) => ({
    name,
    href: placeAddress(to, slug),
    label: shell[name],
    icon,
    count: name === 'members' ? counts.members : name === 'invitations' ? counts.invitations + counts.requests : 0,
  }))
}

/** The groups without pages that the viewer may not see. */
export function groupsOf({ props: { administration: admin, seller } }: DashboardContext): readonly Group[] {
  const isOffered = ({ to }: Entry): boolean => {
    if (to === '/admin/organizations') return admin?.features.organizations ?? false
    return (to !== '/admin/disputes' && to !== '/admin/attention') || (admin?.features.billing ?? false)
  }
  return (seller ? sellingOf(seller) : administration)
    .map(({ title, entries }) => ({ title, entries: entries.filter(isOffered) }))
    .filter(({ entries }) => entries.length > 0)
}

const sellingOf = (viewer: Parameters<typeof sellingGroups>[0]): readonly Group[] =>
  sellingGroups(viewer).map(({ title, places }) => ({
    title: shell[title],
    entries: places.map(({ name, to, key, icon }) => ({ name, to, label: shell[name], key, icon })),
  }))

/** The editors that create something, for viewers with the permission. */
export function creatorsOf({ props: { seller } }: DashboardContext) {
  const creating = [products, checkoutLinks, discounts, customFields, meters, webhooks]
  return creating
    .filter(({ permission }) => seller?.permissions[permission]?.includes('write'))
    .map(({ create }) => create)
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
            {entries.map(({ to, label, icon: Icon }) => {
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
                    {to === '/admin/attention' ? <MoneyToCheck /> : null}
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
            {pagesOfPeople.map(({ href, label, icon: Icon, count }) => (
              <li key={href}>
                <a href={href} className="nav-link">
                  <Icon size={17} stroke={1.6} aria-hidden />
                  {label} {count > 0 ? <span data-tg="count">{number.format(count)}</span> : null}
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

function MoneyToCheck() {
  const { client } = useDashboard()
  const { data } = useQuery({ ...moneyToCheckQuery(client, { limit: 1 }), staleTime: 60_000 })
  const count = data?.open ?? 0
  return <Count of={count} title={shell.openMoneyToCheck(count)} />
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
