import { splitRoles } from '@tollgate/contract/calls'
import { invitationCancel, invitationResend } from '@tollgate/contract/forms'
import { useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Copy } from '../../elements/small.tsx'
import { Badge } from '../../elements/status.tsx'
import type { FormState } from '../../form-state.ts'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { useRowFocus } from '../../hooks/use-row-focus.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { useRoleText } from '../organization-parts.tsx'
import { Panel, SectionFrame } from '../section-frame.tsx'
import { RelativeTime } from '../time.tsx'
import { may, type SectionData } from './data.ts'
import { Ask, RowMenu, SelectField } from './fields.tsx'
import { InviteForm } from './invite-form.tsx'
import { LinksPanel } from './links-panel.tsx'
import { type Report, useCount, useOutcome, usePageOf, useRefusalText } from './parts.tsx'
import { type OnQuery, queryForm } from './query-form.ts'
import { RequestsPanel } from './requests-panel.tsx'

type Data = SectionData<'invitations'>
type Invitation = Data['invitations'][number]
type Props = { data: Data; state: FormState | undefined; onQuery: OnQuery | undefined }

const statuses = ['pending', 'accepted', 'rejected', 'canceled'] as const

/** Pending invitations, shared links, and requests to join. */
export function InvitationsSection({ data, state, onQuery }: Props) {
  const texts = useMessages('organizationInvitations')
  const common = useMessages('organization')
  const t = useText()
  const refusalText = useRefusalText()
  const [invitations, setInvitations] = useState(data.invitations)
  const [list, rowGone] = useRowFocus<HTMLTableSectionElement>()
  const count = useCount()
  const { outcome, alert, status, onAttempt, report } = useOutcome(state, {
    'members-invited': t(texts.sent, { count: Number(state?.values?.count ?? 0) }),
    'invitation-resent': texts.resent,
    'invitation-canceled': texts.canceledDone,
    'link-created': texts.linkCreated,
    'link-revoked': texts.linkRevoked,
    'join-approved': texts.approved,
    'join-denied': texts.denied,
  })
  const refused = Object.entries(outcome.done === 'members-invited' ? (outcome.values ?? {}) : {}).filter(
    ([name]) => name.includes('@') || !['count', 'emails', 'role', 'teamId'].includes(name),
  )

  function onInvited(added: readonly Invitation[]) {
    // A renewed expired invitation was counted before.
    const known = new Set(invitations.map(({ id }) => id))
    count({ invitations: added.filter(({ id }) => !known.has(id)).length })
    if (data.status !== 'pending') return
    const ids = new Set(added.map(({ id }) => id))
    setInvitations([...added, ...invitations.filter(({ id }) => !ids.has(id))])
  }

  return (
    <SectionFrame title={common.invitations} alert={alert} status={status} onAttempt={onAttempt}>
      {refused.length > 0 ? (
        <Panel title={texts.notSent}>
          <ul data-tg="list">
            {refused.map(([email, code]) => (
              <li key={email}>
                <strong>{email}</strong>: {refusalText(code)}
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
      {may(data, 'invitation', 'create') ? (
        <InviteForm data={data} state={state} report={report} onInvited={onInvited} />
      ) : null}
      {data.requests ? <RequestsPanel data={data} requests={data.requests} report={report} /> : null}
      <Panel title={texts.listTitle}>
        <form {...queryForm(usePageOf(data)('invitations'), onQuery)} data-tg="filters">
          <SelectField
            id="invitations-status"
            name="status"
            label={texts.status}
            defaultValue={data.status}
            options={statuses.map((name) => [name, texts[name]] as const)}
          />
          <Button type="submit">{common.show}</Button>
        </form>
        {invitations.length === 0 ? (
          <p data-tg="hint">{data.status === 'pending' ? texts.nonePending : texts.none}</p>
        ) : null}
        {data.status === 'pending' && data.acceptURL && invitations.length > 0 ? (
          <p data-tg="hint">{texts.copyHint}</p>
        ) : null}
        {invitations.length > 0 ? (
          <table data-tg="people">
            <thead>
              <tr>
                <th scope="col">{texts.invitee}</th>
                <th scope="col">{common.role}</th>
                <th scope="col" data-cell="teams">
                  {common.teams}
                </th>
                <th scope="col" data-cell="joined">
                  {texts.ends}
                </th>
                <th scope="col" data-cell="actions">
                  <span data-tg="visually-hidden">{common.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody ref={list} data-tg="rows">
              {invitations.map((invitation, at) => (
                <InvitationRow
                  key={invitation.id}
                  data={data}
                  invitation={invitation}
                  report={report}
                  onRenewed={(renewed) =>
                    setInvitations(invitations.map((one) => (one.id === invitation.id ? renewed : one)))
                  }
                  onCanceled={() => {
                    setInvitations(invitations.filter(({ id }) => id !== invitation.id))
                    count({ invitations: -1 })
                    rowGone(at)
                  }}
                />
              ))}
            </tbody>
          </table>
        ) : null}
      </Panel>
      {data.links ? <LinksPanel data={data} links={data.links} state={state} report={report} /> : null}
    </SectionFrame>
  )
}

type RowProps = {
  data: Data
  invitation: Invitation
  report: Report
  onRenewed: (invitation: Invitation) => void
  onCanceled: () => void
}

function InvitationRow({ data, invitation, ...rest }: RowProps) {
  const texts = useMessages('organizationInvitations')
  const common = useMessages('organization')
  const roleText = useRoleText()
  const t = useText()
  const { email, role, status, inviterId, expiresAt, createdAt } = invitation
  const { user } = data.session
  const isOpen = status === 'pending'
  const isOver = isOpen && expiresAt <= data.now
  const inviter = inviterId === user.id ? user.name || user.email : data.inviters[inviterId]
  const teams = data.teams.filter(({ id }) => splitRoles(invitation.teamId ?? '').includes(id))
  return (
    <tr data-tg="member">
      <th scope="row">
        <strong>{email}</strong>{' '}
        <Badge tone={isOver ? 'danger' : isOpen ? 'warn' : status === 'accepted' ? 'ok' : 'info'}>
          {isOver ? texts.expired : texts[status]}
        </Badge>
        <p data-tg="hint">
          <span>{t.rich(texts.invited, { when: <RelativeTime at={createdAt} now={data.now} /> })}</span>
          {inviter ? <span>{t(common.by, { actor: inviter })}</span> : null}
        </p>
      </th>
      <td data-cell="role">{roleText(role)}</td>
      <td data-cell="teams">{teams.map(({ name }) => name).join(', ')}</td>
      <td data-cell="joined" data-label={texts.ends}>
        {isOpen ? <RelativeTime at={expiresAt} now={data.now} /> : null}
      </td>
      <td data-cell="actions">
        {isOpen ? <InvitationMenu data={data} invitation={invitation} isOver={isOver} {...rest} /> : null}
      </td>
    </tr>
  )
}

function InvitationMenu({ data, invitation, isOver, ...rest }: RowProps & { isOver: boolean }) {
  const texts = useMessages('organizationInvitations')
  const common = useMessages('organization')
  const t = useText()
  const { id, email } = invitation
  const mayResend = may(data, 'invitation', 'create')
  const mayCancel = may(data, 'invitation', 'cancel')
  const link = data.acceptURL && !isOver ? data.acceptURL + id : undefined
  if (!mayResend && !mayCancel && !link) return null
  return (
    <RowMenu label={`${common.actions} ${email}`}>
      {mayResend ? <ResendForm data={data} invitation={invitation} {...rest} /> : null}
      {link ? <Copy text={link} label={texts.copy} /> : null}
      {mayCancel ? (
        <Ask label={texts.cancel} about={email} title={t(texts.cancelTitle, { email })} look="quiet">
          {() => <CancelForm data={data} invitation={invitation} {...rest} />}
        </Ask>
      ) : null}
    </RowMenu>
  )
}

function ResendForm({ data, invitation, report, onRenewed }: Omit<RowProps, 'onCanceled'>) {
  const texts = useMessages('organizationInvitations')
  const { id, email } = invitation
  const form = useFormOf(invitationResend, {
    state: undefined,
    at: { organization: data.organization, invitation },
    onSuccess: onRenewed,
    report: (result) => report(result),
  })
  return (
    <form {...form.props} action={usePageOf(data)('invitations')}>
      <Hidden form={form.name} invitationId={id} />
      <Submit form={form} look="quiet" busyLabel={texts.sending}>
        <span>
          {texts.resend} <span data-tg="visually-hidden">{email}</span>
        </span>
      </Submit>
    </form>
  )
}

function CancelForm({ data, invitation, report, onCanceled }: Omit<RowProps, 'onRenewed'>) {
  const texts = useMessages('organizationInvitations')
  const { id, email } = invitation
  const form = useFormOf(invitationCancel, {
    state: undefined,
    onSuccess: onCanceled,
    report: (result) => report(result),
  })
  return (
    <form {...form.props} action={usePageOf(data)('invitations')} data-tg="ask">
      <Hidden form={form.name} invitationId={id} />
      <p>{texts.cancelText}</p>
      <Submit form={form} look="danger" busyLabel={texts.canceling}>
        <span>
          {texts.cancel} <span data-tg="visually-hidden">{email}</span>
        </span>
      </Submit>
    </form>
  )
}
