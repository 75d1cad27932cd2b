import type { OrganizationFrame, PageFrame } from '@tollgate/contract/pages'
import { defaultPaths, OrganizationSwitcher, UserButton } from '@tollgate/react'
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
  readonly sandbox: string
  readonly sandboxMeans: string
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
  data: OrganizationFrame & Pick<PageFrame, 'appName'>
  groups: readonly ShownGroup[]
  /** By the names of the pages. The browser has none, and keeps those that the server has drawn. */
  icons: Readonly<Record<string, string>> | undefined
  counts: Counts
  texts: ShellTexts
}

/** A link to the page in another color scheme. */
export type SchemeLink = { readonly scheme: 'dark' | 'light'; readonly label: string; readonly href: string }

/**
 * The sidebar of an organization, as in the dashboard. Where there is no room for it, the browser's own popover makes a
 * drawer of it, which needs no script.
 */
export function OrganizationSide({ data, groups, icons, counts, texts }: SideProps) {
  return (
    <>
      <a href="#tg-title" className="skip">
        {texts.skip}
      </a>
      <aside id={sideId} popover="auto" className="side">
        <Switcher data={data} />
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
          <UserButton administers={data.administers} detailed />
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

type BarProps = Pick<SideProps, 'data' | 'groups' | 'texts'> & { schemes: readonly SchemeLink[] }

/**
 * The bar above a page, as in the dashboard: the button that opens the navigation where there is no room for it, the search,
 * whether no money moves, and the other color scheme.
 */
export function OrganizationBar({ data, groups, texts, schemes }: BarProps) {
  return (
    <div className="bar">
      <button type="button" className="bar-button" popoverTarget={sideId} aria-label={texts.openNavigation}>
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <path d="M4 6h16M4 12h16M4 18h16" />
        </svg>
      </button>
      <PageSearch groups={groups} texts={texts.search} />
      <div className="bar-end">
        {data.sandbox ? (
          <p className="sandbox">
            {texts.sandbox}
            <span>{texts.sandboxMeans}</span>
          </p>
        ) : null}
        {schemes.map(({ scheme, label, href }) => (
          <a key={scheme} href={href} className="scheme-link" data-to={scheme}>
            <span data-tg="visually-hidden">{label}</span>
            <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
              <path d={schemeDrawings[scheme]} />
            </svg>
          </a>
        ))}
      </div>
    </div>
  )
}

const schemeDrawings = {
  dark: 'M12 3h.4a7.5 7.5 0 0 0 7.9 12.4A9 9 0 1 1 12 3',
  light:
    'M8 12a4 4 0 1 0 8 0 4 4 0 1 0-8 0m-5 0h1m8-9v1m8 8h1m-9 8v1M5.6 5.6l.7.7m12.1-.7-.7.7m0 11.4.7.7m-12.1-.7-.7.7',
}

/** Shows the organization that the page is about, which need not be the active one, and leads to the pages of another. */
function Switcher({ data: { organization, appName } }: Pick<SideProps, 'data'>) {
  return (
    <OrganizationSwitcher
      current={organization}
      caption={appName}
      isInside
      to={(chosen) => (chosen ? `${defaultPaths.organization}/${chosen.slug}` : defaultPaths.account)}
    />
  )
}
