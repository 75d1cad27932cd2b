import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Skeleton } from '../../elements/status.tsx'
import type { FormState } from '../../form-state.ts'
import { useCurrentInView } from '../../hooks/use-current-in-view.ts'
import { useSession, useTollgate } from '../../hooks/use-session.ts'
import { withQuery } from '../../paths.ts'
import { useMessages, useTollgateContext } from '../../provider.tsx'
import { isLeaving, leaveFor } from '../leave.ts'
import { OrganizationErrors } from '../organization-parts.tsx'
import { SectionFrame } from '../section-frame.tsx'
import { AuditSection } from './audit-section.tsx'
import { DangerSection } from './danger-section.tsx'
import { type OrganizationSection, type SectionData, sections, sees } from './data.ts'
import { InvitationsSection } from './invitations-section.tsx'
import { MembersSection } from './members-section.tsx'
import { OverviewSection } from './overview-section.tsx'
import { CountProvider, type OnCount, useOrganizationCounts, usePageOf } from './parts.tsx'
import type { OnQuery, Query } from './query-form.ts'
import { type OrganizationSetup, type ReadSection, readSection } from './read-section.ts'
import { RolesSection } from './roles-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import { TeamsSection } from './teams-section.tsx'

/** A section with its data. */
type GivenSection = {
  [Section in OrganizationSection]: { section: Section } & SectionData<Section>
}[OrganizationSection]

type Shared = {
  /**
   * Called with what changes in the counts of members, invitations and requests. A page that counts them shows the
   * navigation itself, so the component shows none.
   */
  onCount?: OnCount
  /** The outcome of the form named by `state.form`. Forms post to the page of their section. */
  state?: FormState
  /** Shown above the navigation, such as a switcher of organizations. */
  switcher?: ReactNode
  /** Called instead of navigating to the list of organizations when the viewer has left this one. */
  onLeft?: () => void
}

export type OrganizationSettingsProps = Shared &
  (
    | GivenSection
    /** Reads the active organization with the client, and switches sections itself. */
    | { section?: OrganizationSection; organization?: undefined; setup?: OrganizationSetup }
  )

/** An organization's pages: members, invitations, teams, roles, settings and audit log. */
export function OrganizationSettings(props: OrganizationSettingsProps) {
  return (
    <OrganizationErrors>
      {props.organization === undefined ? <Embedded {...props} /> : <Page {...props} />}
    </OrganizationErrors>
  )
}

function Page({ state, switcher, onLeft, onCount, ...data }: Shared & GivenSection) {
  const { paths } = useTollgateContext()
  const session = useSession()
  // Another tab signed out: the person in front of the screen may no longer be the user.
  const signedOut = !session.data && !session.pending
  useEffect(() => {
    if (signedOut && !isLeaving()) leaveFor(withQuery(paths.signIn, { callbackURL: location.pathname }))
  }, [signedOut, paths])
  const [counts, count] = useOrganizationCounts(data.counts)
  return (
    <CountProvider value={onCount ?? count}>
      <div data-tg="account" data-wide="" data-alone={onCount ? '' : undefined}>
        {onCount ? null : <Navigation data={data} counts={counts} section={data.section} switcher={switcher} />}
        <div data-tg="account-panel">
          <Section data={data} state={state} onQuery={undefined} onLeft={onLeft} />
        </div>
      </div>
    </CountProvider>
  )
}

const noSetup: OrganizationSetup = {}
const noCounts = { members: 0, membershipLimit: 0, invitations: 0, requests: 0 }

function Embedded({
  section: first = 'overview',
  setup: initialSetup = noSetup,
  state,
  switcher,
  onLeft,
}: Shared & { section?: OrganizationSection; setup?: OrganizationSetup }) {
  const client = useTollgate()
  const { messages } = useTollgateContext()
  const texts = useMessages('organization')
  const [asked, setAsked] = useState<{ section: OrganizationSection; query: Query; times: number }>({
    section: first,
    query: {},
    times: 0,
  })
  const [shown, setShown] = useState<{ asked: typeof asked; read: ReadSection }>()
  const panel = useRef<HTMLDivElement>(null)
  // Read once, so that a new object at each render triggers no new read.
  const [setup] = useState(initialSetup)

  useEffect(() => {
    let current = true
    readSection(client, asked.section, asked.query, setup).then((read) => {
      if (current) setShown({ asked, read })
    })
    return () => {
      current = false
    }
  }, [client, asked, setup])

  // After a change in place, focus moves where a new page would begin.
  useEffect(() => {
    if (shown && shown.asked.times > 0) panel.current?.querySelector('h1')?.focus()
  }, [shown])

  const ask = (section: OrganizationSection, query: Query = {}) => setAsked({ section, query, times: asked.times + 1 })
  const read = shown?.read
  const data = typeof read === 'object' ? read : undefined
  // Pages belong to one section: `read` refers to the last request.
  const given = data && shown ? ({ ...data, section: shown.asked.section } as GivenSection) : undefined
  const [counts, count] = useOrganizationCounts(data?.counts ?? noCounts)
  return (
    <CountProvider value={count}>
      <div data-tg="account" data-wide="">
        {data ? (
          <Navigation
            data={data}
            counts={counts}
            section={asked.section}
            switcher={switcher}
            onChoose={(next) => ask(next)}
          />
        ) : (
          <div>{switcher}</div>
        )}
        <div data-tg="account-panel" ref={panel} aria-busy={shown?.asked !== asked || undefined}>
          {given ? (
            <Section
              // New data is a new section: typed values of the previous one do not carry over.
              key={shown?.asked.times}
              data={given}
              state={shown?.asked.times === 0 ? state : undefined}
              onQuery={(query) => ask(given.section, query)}
              onLeft={onLeft}
              embedded
            />
          ) : null}
          {read === 'none' ? (
            <SectionFrame title={texts.nav} text={texts.noneActive}>
              {null}
            </SectionFrame>
          ) : null}
          {read === 'failed' ? (
            <SectionFrame title={texts.nav} alert={texts.loadFailed}>
              <Button onClick={() => ask(asked.section, asked.query)}>{texts.retry}</Button>
            </SectionFrame>
          ) : null}
          {read === undefined ? (
            <SectionFrame title={texts[asked.section]}>
              <Skeleton label={messages.common.loading} />
            </SectionFrame>
          ) : null}
        </div>
      </div>
    </CountProvider>
  )
}

function Navigation({
  data,
  counts,
  section,
  switcher,
  onChoose,
}: {
  data: SectionData
  counts: SectionData['counts']
  section: OrganizationSection
  switcher: ReactNode
  onChoose?: (section: OrganizationSection) => void
}) {
  const texts = useMessages('organization')
  const pageOf = usePageOf(data)
  const navigation = useCurrentInView(section)
  const numbers: Partial<Record<OrganizationSection, number>> = {
    members: counts.members,
    invitations: counts.invitations + counts.requests,
  }
  const choose = (name: OrganizationSection) => (event: MouseEvent) => {
    if (!onChoose || event.metaKey || event.ctrlKey) return
    event.preventDefault()
    onChoose(name)
  }
  return (
    <div data-tg="organization-side">
      {switcher}
      <nav data-tg="account-nav" aria-label={texts.nav} ref={navigation}>
        {sections
          .filter((name) => sees(data, name))
          .map((name) => (
            <a
              key={name}
              href={pageOf(name)}
              aria-current={name === section ? 'page' : undefined}
              onClick={choose(name)}
            >
              {texts[name]} {numbers[name] ? <span data-tg="count">{numbers[name]}</span> : null}
            </a>
          ))}
        {data.dashboard ? <a href={data.dashboard}>{texts.selling}</a> : null}
      </nav>
    </div>
  )
}

function Section({
  data,
  state,
  onQuery,
  onLeft,
  embedded = false,
}: {
  data: GivenSection
  state: FormState | undefined
  onQuery: OnQuery | undefined
  onLeft: (() => void) | undefined
  embedded?: boolean
}) {
  switch (data.section) {
    case 'overview':
      return <OverviewSection data={data} state={state} />
    case 'members':
      return <MembersSection data={data} state={state} onQuery={onQuery} onLeft={onLeft} />
    case 'invitations':
      return <InvitationsSection data={data} state={state} onQuery={onQuery} />
    case 'teams':
      return <TeamsSection data={data} state={state} />
    case 'roles':
      return <RolesSection data={data} state={state} />
    case 'settings':
      return <SettingsSection data={data} state={state} embedded={embedded} />
    case 'audit':
      return <AuditSection data={data} state={state} onQuery={onQuery} />
    case 'danger':
      return <DangerSection data={data} state={state} onLeft={onLeft} />
  }
}
