import { invitationAccept, organizationSwitch } from '@tollgate/contract/forms'
import type { Answer } from '@tollgate/contract/types'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Avatar } from '../elements/avatar.tsx'
import { Button } from '../elements/button.tsx'
import { Opens } from '../elements/overlay.tsx'
import { Skeleton } from '../elements/status.tsx'
import { useErrorText } from '../hooks/use-error-text.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { useHydrated } from '../hooks/use-hydrated.ts'
import { useListKeys } from '../hooks/use-list-keys.ts'
import { useSession, useTollgate } from '../hooks/use-session.ts'
import { useStore } from '../hooks/use-store.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden } from './form-parts.tsx'
import { leaveFor } from './leave.ts'
import { OrganizationErrors, useOrganizationPath, useRoleText } from './organization-parts.tsx'

/** The session names the active organization without its logo. */
type Shown = { readonly id: string; readonly name: string; readonly slug: string; readonly logo?: string | null }
type Invitation = Answer<'listUserInvitations'>[number]

export type OrganizationSwitcherProps = {
  /** The page's organization, which may differ from the active one. */
  current?: Shown & { readonly role?: string }
  /** Where to go after a change; null is the personal account. Without it the page stays. */
  to?: (organization: Shown | null) => string
  /** False if users always work in an organization. */
  personal?: boolean
  /** False if users cannot create organizations here. */
  create?: boolean
  /** The shown organization's dashboard, for members who may use it. */
  dashboard?: string | undefined
  /** Under the name, in place of the viewer's role. */
  caption?: string | undefined
  /** True on the organization's own pages: their navigation has the links that the panel otherwise has. */
  isInside?: boolean
  /** Open invitations, if the server knows them. Default: read when the panel opens. */
  invitations?: readonly Invitation[]
  /** Where the forms post without JavaScript. Default: its own page. */
  action?: string
  /** Called after a change, before the page navigates. */
  onSwitched?: (organizationId: string | null) => void
}

/** From this number on, the list has a search field. */
const searchable = 9

/** The active organization, with a panel to switch, accept an invitation, or create one. */
export function OrganizationSwitcher(props: OrganizationSwitcherProps) {
  return (
    <OrganizationErrors>
      <Switcher {...props} />
    </OrganizationErrors>
  )
}

function Switcher(props: OrganizationSwitcherProps) {
  const client = useTollgate()
  const texts = useMessages('organizationSwitcher')
  const roleText = useRoleText()
  const session = useSession()
  const listed = useStore(client.organizations)
  const [refusal, setRefusal] = useState<string>()
  const [opened, setOpened] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()

  const active = session.data?.organization
  const activeId = session.data?.session.activeOrganizationId
  const found = [...(listed.data ?? []), ...(active ? [active] : [])].find(({ id: one }) => one === activeId)
  const current: Shown | undefined = props.current ?? found
  const role = props.current?.role ?? (active && active.id === current?.id ? active.roles.join(',') : undefined)
  const caption = props.caption ?? (role && roleText(role))
  const loading = !current && (session.pending || (activeId !== null && activeId !== undefined && listed.pending))

  function onChanged(organization: Shown | null) {
    panel.current?.hidePopover()
    props.onSwitched?.(organization?.id ?? null)
    if (props.to) leaveFor(props.to(organization))
  }

  return (
    <span data-tg="menu-anchor">
      <button type="button" data-tg="switcher" popoverTarget={id}>
        <Avatar name={current?.name ?? texts.personal} image={current?.logo ?? null} />
        <span data-tg="switcher-name">
          <strong>{loading ? texts.loading : (current?.name ?? texts.personal)}</strong>
          {caption ? <span>{caption}</span> : null}
        </span>
        <Opens />
        <span data-tg="visually-hidden">, {texts.change}</span>
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; this groups the panel for the keyboard */}
      <div
        id={id}
        ref={panel}
        popover="auto"
        role="group"
        aria-label={texts.list}
        data-tg="menu"
        data-wide=""
        onToggle={(event) => {
          if (event.newState !== 'open') return
          setRefusal(undefined)
          setOpened(true)
          firstStop(event.currentTarget)?.focus()
        }}
      >
        <div role="alert" data-tg="region">
          {refusal ? <p data-tg="field-error">{refusal}</p> : null}
        </div>
        <Choices
          {...props}
          current={current}
          organizations={listed.data}
          pending={listed.pending}
          failed={listed.error !== null}
          onChanged={onChanged}
          onRefused={setRefusal}
        />
        <Invitations given={props.invitations} opened={opened} onJoined={onChanged} onRefused={setRefusal} />
        <Ways
          current={props.isInside ? undefined : current}
          dashboard={props.dashboard}
          create={props.create ?? true}
        />
      </div>
    </span>
  )
}

/** The initial focus of the panel: the search field, or else the selected organization. */
const firstStop = (panel: HTMLElement) =>
  panel.querySelector<HTMLElement>('input[type=search]') ??
  panel.querySelector<HTMLElement>('[role=option][aria-selected=true]') ??
  panel.querySelector<HTMLElement>('[role=option], a, button')

type ChoicesProps = Omit<OrganizationSwitcherProps, 'current'> & {
  current: Shown | undefined
  organizations: readonly Shown[] | null
  pending: boolean
  failed: boolean
  onChanged: (organization: Shown | null) => void
  onRefused: (text: string | undefined) => void
}

/** The organizations as a list box: arrows, Home, End and first letters move in it. */
function Choices({ current, organizations, pending, failed, personal = true, ...rest }: ChoicesProps) {
  const client = useTollgate()
  const { locale } = useTollgateContext()
  const texts = useMessages('organizationSwitcher')
  const t = useText()
  const hydrated = useHydrated()
  const [search, setSearch] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const keys = useListKeys()
  const searchId = useId()

  // The page's organization is shown before the list is read.
  const all = organizations ?? (current ? [current] : [])
  const wanted = search.trim().toLocaleLowerCase(locale)
  const matching = all.filter(({ name, slug }) => `${name} ${slug}`.toLocaleLowerCase(locale).includes(wanted))
  const withPersonal = personal && wanted === ''
  // Tab reaches one option; without JavaScript, where arrows do nothing, it reaches all.
  const stop = matching.find(({ id }) => id === current?.id)?.id ?? (withPersonal ? '' : matching[0]?.id)
  const tabIndexOf = (id: string) => (hydrated && id !== stop ? -1 : undefined)

  if (failed && !organizations) {
    return (
      <div data-tg="menu-note">
        <p>{texts.failed}</p>
        <Button onClick={() => client.organizations.refetch()}>{texts.retry}</Button>
      </div>
    )
  }
  if (pending && !organizations && !current) return <Skeleton label={texts.loading} />
  return (
    <>
      {all.length >= searchable ? (
        <div data-tg="menu-search">
          <label htmlFor={searchId} data-tg="visually-hidden">
            {texts.search}
          </label>
          <input
            id={searchId}
            type="search"
            data-tg="input"
            placeholder={texts.search}
            autoComplete="off"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown') return
              event.preventDefault()
              list.current?.querySelector<HTMLElement>('[role=option]')?.focus()
            }}
          />
          <span role="status" data-tg="visually-hidden">
            {wanted ? t(texts.matches, { count: matching.length }) : ''}
          </span>
        </div>
      ) : null}
      {matching.length === 0 && !withPersonal ? (
        <p data-tg="menu-note">{wanted ? t(texts.matches, { count: 0 }) : texts.none}</p>
      ) : (
        <div ref={list} role="listbox" aria-label={texts.list} data-tg="menu-list" tabIndex={-1} {...keys}>
          {withPersonal ? (
            <Choice {...rest} organization={null} selected={!current} tabIndex={tabIndexOf('')}>
              {texts.personal}
            </Choice>
          ) : null}
          {matching.map((organization) => (
            <Choice
              {...rest}
              key={organization.id}
              organization={organization}
              selected={organization.id === current?.id}
              tabIndex={tabIndexOf(organization.id)}
            >
              {organization.name}
            </Choice>
          ))}
        </div>
      )}
      {withPersonal && organizations?.length === 0 ? <p data-tg="menu-note">{texts.none}</p> : null}
    </>
  )
}

/** One organization, or the personal account: a button with its own form, which works without JavaScript. */
function Choice({
  organization,
  selected,
  tabIndex,
  children,
  ...props
}: Pick<ChoicesProps, 'to' | 'action' | 'onChanged' | 'onRefused'> & {
  organization: Shown | null
  selected: boolean
  tabIndex: number | undefined
  children: string
}) {
  const { paths } = useTollgateContext()
  const errorText = useErrorText()
  const form = useFormOf(organizationSwitch, {
    state: undefined,
    onSend: () => props.onRefused(undefined),
    leave: () => props.onChanged(organization),
    report: (result) => {
      if (result?.code) props.onRefused(errorText(result.code, result))
      return {}
    },
  })
  return (
    <form {...form.props} role="none" action={props.action ?? paths.switchOrganization}>
      <Hidden form={form.name} organizationId={organization?.id ?? ''} to={props.to?.(organization)} />
      <button
        type="submit"
        role="option"
        aria-selected={selected}
        aria-disabled={form.busy || undefined}
        tabIndex={tabIndex}
        data-tg="menu-item"
        data-choice=""
      >
        <Avatar name={children} image={organization?.logo ?? null} />
        <span>{children}</span>
      </button>
    </form>
  )
}

/** The viewer's open invitations; renders nothing without any. */
function Invitations({
  given,
  opened,
  onJoined,
  onRefused,
}: {
  given: readonly Invitation[] | undefined
  /** Whether the panel has been opened; nothing is read before. */
  opened: boolean
  onJoined: (organization: Shown) => void
  onRefused: (text: string | undefined) => void
}) {
  const client = useTollgate()
  const texts = useMessages('organizationSwitcher')
  const [invitations, setInvitations] = useState(given ?? [])

  useEffect(() => {
    if (given || !opened) return
    const abort = new AbortController()
    client.listUserInvitations(undefined, { signal: abort.signal }).then(({ data }) => {
      if (data && !abort.signal.aborted) setInvitations(data)
    })
    return () => abort.abort()
  }, [client, given, opened])

  if (invitations.length === 0) return null
  return (
    <div data-tg="menu-part">
      <p data-tg="hint">{texts.invitations}</p>
      <ul data-tg="rows">
        {invitations.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            onRefused={onRefused}
            onJoined={() => {
              setInvitations((list) => list.filter(({ id }) => id !== invitation.id))
              const { organizationId: id, organizationName: name, organizationSlug: slug } = invitation
              onJoined({ id, name, slug })
            }}
          />
        ))}
      </ul>
    </div>
  )
}

function InvitationRow({
  invitation,
  onJoined,
  onRefused,
}: {
  invitation: Invitation
  onJoined: () => void
  onRefused: (text: string | undefined) => void
}) {
  const { paths } = useTollgateContext()
  const texts = useMessages('organizationSwitcher')
  const t = useText()
  const errorText = useErrorText()
  const roleText = useRoleText()
  const form = useFormOf(invitationAccept, {
    state: undefined,
    onSend: () => onRefused(undefined),
    leave: onJoined,
    report: (result) => {
      if (result?.code) onRefused(errorText(result.code, result))
      return {}
    },
  })
  return (
    <li data-tg="menu-row">
      <span>
        <strong>{invitation.organizationName}</strong>
        <span data-tg="hint">{roleText(invitation.role)}</span>
      </span>
      <form {...form.props} action={`${paths.acceptInvitation}/${encodeURIComponent(invitation.id)}`}>
        <Hidden form={form.name} invitationId={invitation.id} />
        <Button
          type="submit"
          busy={form.busy}
          busyLabel={texts.joining}
          aria-label={form.busy ? undefined : t(texts.joinNamed, { organization: invitation.organizationName })}
        >
          {texts.join}
        </Button>
      </form>
    </li>
  )
}

/** Links to the organization's pages, its dashboard, the list of all, and a new one. */
function Ways({
  current,
  dashboard,
  create,
}: Pick<OrganizationSwitcherProps, 'dashboard'> & { current: Shown | undefined; create: boolean }): ReactNode {
  const { paths } = useTollgateContext()
  const texts = useMessages('organizationSwitcher')
  const t = useText()
  const pathOf = useOrganizationPath()
  return (
    <div data-tg="menu-part">
      {current ? (
        <a href={pathOf(current.slug)} data-tg="menu-item">
          {t(texts.manage, { organization: current.name })}
        </a>
      ) : null}
      {current && dashboard ? (
        <a href={dashboard} data-tg="menu-item">
          {t(texts.sell, { organization: current.name })}
        </a>
      ) : null}
      <a href={paths.organizations} data-tg="menu-item">
        {texts.all}
      </a>
      {create ? (
        <a href={paths.newOrganization} data-tg="menu-item">
          {texts.create}
        </a>
      ) : null}
    </div>
  )
}
