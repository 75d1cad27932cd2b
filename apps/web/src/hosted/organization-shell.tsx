import type { OrganizationFrame } from '@tollgate/contract/pages'
import { defaultPaths, OrganizationSwitcher, UserButton, type UserButtonProps } from '@tollgate/react'
import { PageSearch, type SearchTexts } from './page-search.tsx'

/** A group of pages, as the sidebar shows it. */
export type ShownGroup = {
  readonly title: string
  readonly places: readonly {
    readonly name: string
    readonly label: string
    readonly href: string
    readonly current?: boolean
  }[]
}

/** Words of the sidebar that are not names of pages. */
export type ShellTexts = {
  /** Of the link that jumps over the navigation. */
  readonly skip: string
  readonly navigation: string
  readonly openNavigation: string
  readonly search: SearchTexts
}

type Counts = OrganizationFrame['counts']

/** The pages whose link shows how many there are. */
const countOf: Readonly<Partial<Record<string, (counts: Counts) => number>>> = {
  members: ({ members }) => members,
  invitations: ({ invitations, requests }) => invitations + requests,
}

const sideId = 'tg-side'

type SideProps = {
  data: OrganizationFrame
  groups: readonly ShownGroup[]
  /** By the names of the pages. The browser has none, and keeps those that the server has drawn. */
  icons: Readonly<Record<string, string>> | undefined
  counts: Counts
  texts: ShellTexts
  /** Further links of the user's menu. */
  menuLinks: NonNullable<UserButtonProps['links']>
}

/**
 * The sidebar of an organization, as in the dashboard. Where there is no room for it, the browser's own popover makes a
 * drawer of it, which needs no script.
 */
export function OrganizationSide({ data, groups, icons, counts, texts, menuLinks }: SideProps) {
  return (
    <>
      <a href="#tg-title" className="skip">
        {texts.skip}
      </a>
      <aside id={sideId} popover="auto" className="side">
        <Switcher {...data} />
        <nav aria-label={texts.navigation}>
          {groups.map(({ title, places }) => (
            <div key={title} className="nav-group">
              <h2>{title}</h2>
              <ul>
                {places.map(({ name, label, href, current }) => {
                  const count = countOf[name]?.(counts)
                  return (
                    <li key={href}>
                      <a href={href} className="nav-link" aria-current={current ? 'page' : undefined}>
                        <Icon name={name} icons={icons} />
                        {label} {count ? <span data-tg="count">{count}</span> : null}
                      </a>
                    </li>
                  )
                })}
              </ul>
            </div>
          ))}
        </nav>
        <div className="side-foot">
          <UserButton administers={data.administers} detailed links={menuLinks} />
        </div>
      </aside>
    </>
  )
}

function Icon({ name, icons }: { name: string; icons: SideProps['icons'] }) {
  return (
    <span
      className="nav-icon"
      aria-hidden="true"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by our own table, in the bundle for the server
      dangerouslySetInnerHTML={{ __html: icons?.[name] ?? '' }}
    />
  )
}

/** The bar above a page: where one is, and the button that opens the navigation where there is no room for it. */
export function OrganizationBar({ data, groups, texts }: Pick<SideProps, 'data' | 'groups' | 'texts'>) {
  const current = groups.flatMap(({ places }) => places).find((place) => place.current)
  return (
    <div className="bar">
      <button type="button" className="bar-button" popoverTarget={sideId} aria-label={texts.openNavigation}>
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <path d="M4 6h16M4 12h16M4 18h16" />
        </svg>
      </button>
      <p className="where">
        <a href={`${defaultPaths.organization}/${encodeURIComponent(data.organization.slug)}`}>
          <span>{data.organization.name}</span>
        </a>
        {current ? <span>{current.label}</span> : null}
      </p>
      <PageSearch groups={groups} texts={texts.search} />
    </div>
  )
}

/** Shows the organization that the page is about, which need not be the active one, and leads to the pages of another. */
function Switcher({ organization, member, dashboard }: OrganizationFrame) {
  return (
    <OrganizationSwitcher
      current={{ ...organization, role: member.role }}
      dashboard={dashboard}
      to={(chosen) => (chosen ? `${defaultPaths.organization}/${chosen.slug}` : defaultPaths.account)}
    />
  )
}
