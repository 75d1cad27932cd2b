import type { AccountOrganizations } from '@tollgate/contract/pages'
import type { Session, User } from '@tollgate/contract/types'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Skeleton } from '../elements/status.tsx'
import type { FormState } from '../form-state.ts'
import { useCurrentInView } from '../hooks/use-current-in-view.ts'
import { useSession } from '../hooks/use-session.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useTollgateContext } from '../provider.tsx'
import { type Connection, ConnectionsSection } from './connections-section.tsx'
import { DeleteAccount, type DeleteAccountProps } from './delete-account.tsx'
import { isLeaving, leaveFor } from './leave.ts'
import { OrganizationList } from './organization-list.tsx'
import { ProfileSection } from './profile-section.tsx'
import type { Provider } from './provider-buttons.tsx'
import { SecuritySection } from './security-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

export type AccountSection = 'profile' | 'security' | 'connections' | 'sessions' | 'organizations' | 'delete'

/** What a user may do here. Everything is on by default. */
export type AccountFeatures = {
  changeEmail?: boolean
  deleteUser?: boolean
  /** Whether confirmation mails can be sent. */
  verification?: boolean
  /** Whether users have usernames. */
  username?: boolean
  /** Whether providers can be connected. Default: whether `providers` names any. */
  connections?: boolean
  /** Whether organizations are on; if given, they have a section of their own. */
  organizations?: boolean
}

export type AccountSettingsProps = {
  /**
   * The section to show. Each section has its own address, and the page leaves when the user is signed out. Without it
   * the component switches sections itself.
   */
  section?: AccountSection
  /** The signed-in user. Default: the client reads it. */
  user?: User & { username?: string | null; displayUsername?: string | null }
  /** The providers that the server offers. */
  providers?: readonly Provider[]
  /** The user's sign-in methods, for the section `connections`. Default: the client reads them. */
  accounts?: readonly Connection[]
  /** Whether the user may remove the last one too. */
  mayUnlinkAll?: boolean
  /** Whether the user may connect further accounts. Default: true. */
  mayLink?: boolean
  /** Why a redirect to `connections` failed: the code from the address, and its sentence (`callbackErrorText`). */
  error?: { code: string; text: string } | undefined
  /** The active sessions, for the section `sessions`. Default: the client reads them. */
  sessions?: readonly Session[]
  /** For the section `organizations`. Default: the client reads them. */
  organizations?: AccountOrganizations
  /** For the section `delete`: the fate of the user's organizations. Default: the client reads it. */
  preview?: DeleteAccountProps['preview']
  /** The id of the session that requested this page. */
  currentSessionId?: string
  /** The server's time in ISO form, for "3 days ago". Default: the viewer's clock. */
  now?: string
  /** False for a user who has only signed in by provider or link. */
  hasPassword?: boolean
  features?: AccountFeatures
  /** The outcome of the form named by `state.form`. Forms post to the page of their section. */
  state?: FormState
  /** Called instead of leaving the page after the account is deleted. */
  onDeleted?: () => void
}

/** Profile, security, connected accounts and devices of the signed-in user. */
export function AccountSettings(props: AccountSettingsProps) {
  const { paths, messages } = useTollgateContext()
  const texts = useMessages('account')
  const session = useSession()
  const [chosen, setChosen] = useState<AccountSection>('profile')
  const section = props.section ?? chosen
  const panel = useRef<HTMLDivElement>(null)
  const shown = useRef(section)

  // After a change in place, focus moves where a new page would begin.
  useEffect(() => {
    if (shown.current !== section) panel.current?.querySelector('h1')?.focus()
    shown.current = section
  }, [section])

  // Another tab signed out: the person in front of the screen may no longer be the user.
  const signedOut = props.section !== undefined && !session.data && !session.pending
  useEffect(() => {
    if (signedOut && !isLeaving()) leaveFor(withQuery(paths.signIn, { callbackURL: location.pathname }))
  }, [signedOut, paths])

  const user = props.user ?? session.data?.user
  const currentSessionId = props.currentSessionId ?? session.data?.session.id

  const connectable = props.features?.connections ?? (props.providers ?? []).length > 0
  const sections = [
    { section: 'profile', href: paths.account, label: texts.profile },
    { section: 'security', href: paths.security, label: texts.security },
    ...(connectable ? ([{ section: 'connections', href: paths.connections, label: texts.connections }] as const) : []),
    { section: 'sessions', href: paths.sessions, label: texts.sessions },
    ...(props.features?.organizations
      ? ([{ section: 'organizations', href: paths.organizations, label: texts.organizations }] as const)
      : []),
  ] as const
  // The security section links to deletion, which therefore belongs to it.
  const current = section === 'delete' ? 'security' : section

  const navigation = useCurrentInView(current)

  const choose = (next: AccountSection) => (event: MouseEvent) => {
    if (props.section || event.metaKey || event.ctrlKey) return
    event.preventDefault()
    setChosen(next)
  }

  return (
    <div data-tg="account">
      <nav data-tg="account-nav" aria-label={texts.nav} ref={navigation}>
        {sections.map(({ section: name, href, label }) => (
          <a key={name} href={href} aria-current={name === current ? 'page' : undefined} onClick={choose(name)}>
            {label}
          </a>
        ))}
      </nav>
      <div data-tg="account-panel" ref={panel}>
        {user ? (
          <Section
            {...props}
            section={section}
            user={user}
            currentSessionId={currentSessionId}
            onDelete={choose('delete')}
          />
        ) : (
          <Skeleton label={messages.common.loading} />
        )}
      </div>
    </div>
  )
}

type SectionProps = Omit<AccountSettingsProps, 'section' | 'user' | 'currentSessionId'> & {
  section: AccountSection
  user: NonNullable<AccountSettingsProps['user']>
  currentSessionId: string | undefined
  onDelete: (event: MouseEvent) => void
}

function Section({ section, user, sessions, currentSessionId, now, hasPassword = true, ...rest }: SectionProps) {
  const {
    features = {},
    state,
    onDeleted,
    onDelete,
    accounts,
    providers = [],
    mayUnlinkAll = false,
    mayLink,
    error,
  } = rest
  const { organizations, preview } = rest
  switch (section) {
    case 'profile':
      return <ProfileSection user={user} features={features} state={state} />
    case 'security':
      return (
        <SecuritySection user={user} hasPassword={hasPassword} features={features} state={state} onDelete={onDelete} />
      )
    case 'connections':
      return (
        <ConnectionsSection
          email={user.email}
          given={accounts}
          providers={providers}
          hasPassword={hasPassword}
          mayUnlinkAll={mayUnlinkAll}
          mayLink={mayLink}
          error={error?.text}
          state={state}
        />
      )
    case 'sessions':
      return <SessionsSection given={sessions} currentSessionId={currentSessionId} now={now} state={state} />
    case 'organizations':
      return <OrganizationList given={organizations} state={state} />
    case 'delete':
      return (
        <DeleteAccount
          email={user.email}
          hasPassword={hasPassword}
          preview={preview}
          {...(state ? { state } : {})}
          {...(onDeleted ? { onDeleted } : {})}
        />
      )
  }
}
