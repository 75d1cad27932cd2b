import { invitationAccept, invitationReject, organizationJoin, organizationLeave } from '@tollgate/contract/forms'
import type { AccountOrganizations } from '@tollgate/contract/pages'
import { useState } from 'react'
import { Avatar } from '../elements/avatar.tsx'
import { Button, ButtonLink } from '../elements/button.tsx'
import { Badge, Skeleton } from '../elements/status.tsx'
import type { FormState } from '../form-state.ts'
import { useErrorText } from '../hooks/use-error-text.ts'
import { doneState, type Outcome } from '../hooks/use-form.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { type Read, useGiven } from '../hooks/use-given.ts'
import { useRowFocus } from '../hooks/use-row-focus.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit } from './form-parts.tsx'
import { leaveFor } from './leave.ts'
import { Ask } from './organization/fields.tsx'
import { OrganizationErrors, useOrganizationPath, useRoleText } from './organization-parts.tsx'
import { Panel, SectionFrame } from './section-frame.tsx'
import { DateTime } from './time.tsx'

type Membership = Omit<AccountOrganizations['memberships'][number], 'role'> & { readonly role?: string }
type Lists = Omit<AccountOrganizations, 'memberships' | 'may'> & { readonly memberships: readonly Membership[] }
type Invitation = Lists['invitations'][number]
type Joinable = Lists['joinable'][number]

export type OrganizationListProps = {
  /** The server's data. Default: the client reads it, without roles. */
  given?: AccountOrganizations | undefined
  state?: FormState | undefined
  /** Called with the joined organization instead of navigating to it. */
  onJoined?: (organizationId: string) => void
}

/** The account's organizations: open, leave, accept or decline, join by domain, create. */
export function OrganizationList(props: OrganizationListProps) {
  return (
    <OrganizationErrors>
      <List {...props} />
    </OrganizationErrors>
  )
}

const formNames: readonly (string | undefined)[] = [
  'organization-leave',
  'invitation-accept',
  'invitation-reject',
  'organization-join',
]

/** A row's outcome: what to announce, and which row disappears. */
type Report = (outcome: FormState, gone?: string) => void
/** The joined organization and its row. Without an outcome the page navigates away. */
type OnNew = (organization: { id: string; name: string; slug: string }, gone: string) => Outcome

function List({ given, state, onJoined }: OrganizationListProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('organizationList')
  const t = useText()
  const errorText = useErrorText()
  const pathOf = useOrganizationPath()
  const { data: lists, setData: setLists, failed, retry } = useGiven<Lists>(given, readLists)
  const [outcome, setOutcome] = useState<FormState>(
    state && (formNames.includes(state.form) || state.form === undefined) ? state : {},
  )
  const [invitations, invitationGone] = useRowFocus()
  const [memberships, membershipGone] = useRowFocus()
  const [joinable, joinableGone] = useRowFocus()
  const may = given?.may ?? 'create'
  const notices = {
    'organization-left': texts.left,
    'organization-deleted': texts.deleted,
    'invitation-rejected': texts.declined,
    'join-requested': texts.requested,
  } as Partial<Record<string, string>>
  const joined = outcome.values?.joined
  const notice = joined === undefined ? notices[outcome.done ?? ''] : t(texts.joined, { organization: joined })

  const report: Report = (result, gone) => {
    setOutcome(result)
    if (gone === undefined || !lists) return
    setLists((known) => known && without(known, gone))
    const rowGone = { invitations: invitationGone, memberships: membershipGone, joinable: joinableGone }
    const { list, at } = placeOf(lists, gone)
    rowGone[list](at)
  }

  /** A new membership: navigate to it, or report it if the application handles it. */
  const onNew: OnNew = (organization, gone) => {
    if (!onJoined) {
      leaveFor(pathOf(organization.slug))
      return undefined
    }
    onJoined(organization.id)
    report({ values: { joined: organization.name } }, gone)
    return {}
  }

  return (
    <SectionFrame
      title={texts.title}
      text={texts.text}
      alert={failed ? texts.loadFailed : outcome.code ? errorText(outcome.code, outcome) : undefined}
      status={notice}
    >
      <div>
        {failed ? <Button onClick={retry}>{texts.retry}</Button> : null}
        {!lists && !failed ? (
          <div data-tg="panel">
            <Skeleton label={texts.loading} />
          </div>
        ) : null}
        {lists && lists.invitations.length > 0 ? (
          <Panel title={texts.invitations}>
            <ul data-tg="rows" ref={invitations}>
              {lists.invitations.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} report={report} onNew={onNew} />
              ))}
            </ul>
          </Panel>
        ) : null}
        {lists ? (
          <Panel title={texts.mine}>
            {lists.memberships.length === 0 ? <p>{texts.none}</p> : null}
            <ul data-tg="rows" ref={memberships}>
              {lists.memberships.map((membership) => (
                <MembershipRow key={membership.organization.id} membership={membership} report={report} />
              ))}
            </ul>
            {may === 'create' ? (
              <div data-tg="actions">
                <ButtonLink href={paths.newOrganization}>{texts.create}</ButtonLink>
              </div>
            ) : null}
            {may === 'limit' ? <p data-tg="hint">{texts.limit}</p> : null}
          </Panel>
        ) : null}
        {lists && lists.joinable.length > 0 ? (
          <Panel title={texts.joinable}>
            <p>{texts.joinableText}</p>
            <ul data-tg="rows" ref={joinable}>
              {lists.joinable.map((organization) => (
                <JoinableRow
                  key={organization.id}
                  organization={organization}
                  report={report}
                  onNew={onNew}
                  onRequested={() => setLists((known) => known && asked(known, organization.id))}
                />
              ))}
            </ul>
          </Panel>
        ) : null}
      </div>
    </SectionFrame>
  )
}

/** The three lists as a client reads them, without roles and other server data. */
const readLists: Read<Lists> = async (client, signal) => {
  const [organizations, invitations, joinable] = await Promise.all([
    client.listOrganizations(undefined, { signal }),
    client.listUserInvitations(undefined, { signal }),
    client.listJoinableOrganizations(undefined, { signal }),
  ])
  const error = organizations.error ?? invitations.error ?? joinable.error
  if (!organizations.data || !invitations.data || !joinable.data) return { data: null, error }
  const memberships = organizations.data.map((organization) => ({ organization, soleOwner: false }))
  return { data: { memberships, invitations: invitations.data, joinable: joinable.data }, error }
}

/** The list and row of an id. */
function placeOf({ memberships, invitations, joinable }: Lists, id: string) {
  const invited = invitations.findIndex((invitation) => invitation.id === id)
  if (invited >= 0) return { list: 'invitations', at: invited } as const
  const joins = joinable.findIndex((organization) => organization.id === id)
  if (joins >= 0) return { list: 'joinable', at: joins } as const
  return { list: 'memberships', at: memberships.findIndex(({ organization }) => organization.id === id) } as const
}

/** The lists without an id. */
const without = ({ memberships, invitations, joinable }: Lists, gone: string): Lists => ({
  memberships: memberships.filter(({ organization }) => organization.id !== gone),
  invitations: invitations.filter(({ id }) => id !== gone),
  joinable: joinable.filter(({ id }) => id !== gone),
})

const asked = (lists: Lists, organizationId: string): Lists => ({
  ...lists,
  joinable: lists.joinable.map((one) => (one.id === organizationId ? { ...one, requested: true } : one)),
})

function MembershipRow({ membership, report }: { membership: Membership; report: Report }) {
  const { paths } = useTollgateContext()
  const texts = useMessages('organizationList')
  const t = useText()
  const roleText = useRoleText()
  const pathOf = useOrganizationPath()
  const { organization, role, soleOwner } = membership
  const page = pathOf(organization.slug)
  const form = useFormOf(organizationLeave, {
    state: undefined,
    leave: () => undefined,
    report: (result) => {
      if (result) report(result)
      else report(doneState('organization-left'), organization.id)
      return {}
    },
  })
  return (
    <li data-tg="session">
      <Avatar name={organization.name} image={organization.logo} />
      <div>
        <strong>{organization.name}</strong>
        {role ? <p data-tg="hint">{t(texts.role, { role: roleText(role) })}</p> : null}
        {soleOwner ? (
          <p data-tg="hint">
            {texts.onlyOwner} <a href={`${page}/danger`}>{texts.onlyOwnerLink}</a>
          </p>
        ) : null}
      </div>
      <div data-tg="actions">
        <a
          href={page}
          data-tg="button"
          data-look="secondary"
          aria-label={t(texts.openNamed, { organization: organization.name })}
        >
          {texts.open}
        </a>
        {soleOwner ? null : (
          <Ask label={texts.leave} about={organization.name} look="quiet" cancel={texts.stay}>
            {() => (
              <form {...form.props} action={paths.organizations} data-tg="ask">
                <Hidden form={form.name} organizationId={organization.id} />
                <p>{texts.leaveText}</p>
                <Submit
                  form={form}
                  look="danger"
                  busyLabel={texts.leaving}
                  aria-label={form.busy ? undefined : t(texts.leaveNamed, { organization: organization.name })}
                >
                  {texts.leave}
                </Submit>
              </form>
            )}
          </Ask>
        )}
      </div>
    </li>
  )
}

function InvitationRow({ invitation, report, onNew }: { invitation: Invitation; report: Report; onNew: OnNew }) {
  const { paths } = useTollgateContext()
  const texts = useMessages('organizationList')
  const t = useText()
  const roleText = useRoleText()
  const { id, organizationId, organizationName: organization, organizationSlug: slug } = invitation
  const accept = useFormOf(invitationAccept, {
    state: undefined,
    leave: () => undefined,
    report: (result) => {
      if (!result) return onNew({ id: organizationId, name: organization, slug }, id)
      report(result)
      return {}
    },
  })
  const decline = useFormOf(invitationReject, {
    state: undefined,
    report: (result) => {
      report(result ?? {}, result?.done ? id : undefined)
      return {}
    },
  })
  return (
    <li data-tg="session">
      <Avatar name={organization} />
      <div>
        <strong>{organization}</strong>
        <p data-tg="hint">
          <span>{t(texts.invitedBy, { inviter: invitation.inviterEmail })}</span>
          <span>{t(texts.role, { role: roleText(invitation.role) })}</span>
          <span>{t.rich(texts.until, { date: <DateTime at={invitation.expiresAt} /> })}</span>
        </p>
      </div>
      <div data-tg="actions">
        <form {...accept.props} action={paths.organizations}>
          <Hidden form={accept.name} invitationId={id} />
          <Submit
            form={accept}
            look="secondary"
            busyLabel={texts.joining}
            aria-label={accept.busy ? undefined : t(texts.joinNamed, { organization })}
          >
            {texts.join}
          </Submit>
        </form>
        <form {...decline.props} action={paths.organizations}>
          <Hidden form={decline.name} invitationId={id} />
          <Submit
            form={decline}
            look="quiet"
            busyLabel={texts.declining}
            aria-label={decline.busy ? undefined : t(texts.declineNamed, { organization })}
          >
            {texts.decline}
          </Submit>
        </form>
      </div>
    </li>
  )
}

function JoinableRow({
  organization,
  report,
  onNew,
  onRequested,
}: {
  organization: Joinable
  report: Report
  onNew: OnNew
  onRequested: () => void
}) {
  const { paths } = useTollgateContext()
  const texts = useMessages('organizationList')
  const t = useText()
  const { id, name, joinMode } = organization
  const asks = joinMode === 'request'
  const form = useFormOf(organizationJoin, {
    state: undefined,
    leave: () => undefined,
    report: (result) => {
      if (!result) return onNew(organization, id)
      if (result.done) onRequested()
      report(result)
      return {}
    },
  })
  return (
    <li data-tg="session">
      <Avatar name={name} image={organization.logo} />
      <strong>{name}</strong>
      {organization.requested ? (
        <Badge>{texts.asked}</Badge>
      ) : (
        <form {...form.props} action={paths.organizations}>
          <Hidden form={form.name} organizationId={id} />
          <Submit
            form={form}
            look="secondary"
            busyLabel={asks ? texts.asking : texts.joining}
            aria-label={form.busy ? undefined : t(asks ? texts.askNamed : texts.joinNamed, { organization: name })}
          >
            {asks ? texts.ask : texts.join}
          </Submit>
        </form>
      )}
    </li>
  )
}
