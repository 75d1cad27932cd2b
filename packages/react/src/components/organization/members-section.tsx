import { splitRoles } from '@tollgate/contract/calls'
import { memberRemove, memberRole } from '@tollgate/contract/forms'
import type { PageMember } from '@tollgate/contract/pages'
import { type MouseEvent, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import type { FormState } from '../../form-state.ts'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { useRowFocus } from '../../hooks/use-row-focus.ts'
import { withQuery } from '../../paths.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { useRoleText } from '../organization-parts.tsx'
import { SectionFrame } from '../section-frame.tsx'
import { RelativeTime } from '../time.tsx'
import { grantable, may, rightsOver, type SectionData } from './data.ts'
import { Ask, RowMenu, SelectField } from './fields.tsx'
import { LeaveForm } from './leave-form.tsx'
import { MemberBox, PageBox, type Selection, SelectionBar, useSelection } from './members-selection.tsx'
import { Person, type Report, RoleBoxes, stateOf, useCount, useOutcome, usePageOf } from './parts.tsx'
import { type OnQuery, queryForm } from './query-form.ts'

type Data = SectionData<'members'>
type Props = {
  data: Data
  state: FormState | undefined
  onQuery: OnQuery | undefined
  onLeft: (() => void) | undefined
}

/** All members, and the actions on each. */
export function MembersSection({ data, state, onQuery, onLeft }: Props) {
  const texts = useMessages('organizationMembers')
  const common = useMessages('organization')
  const t = useText()
  const { alert, status, onAttempt, report } = useOutcome(state, {
    'member-updated': texts.updated,
    'member-removed': texts.removed,
  })
  const [members, setMembers] = useState(data.members)
  const [total, setTotal] = useState(data.total)
  const [list, rowGone] = useRowFocus<HTMLTableSectionElement>()
  const count = useCount()
  const selection = useSelection(data, members)
  const isSelectable = selection.selectable.length > 0

  function onRemoved(gone: readonly PageMember[]) {
    const [first] = gone
    if (!first) return
    setMembers(members.filter((member) => !gone.includes(member)))
    setTotal(total - gone.length)
    count({ members: -gone.length })
    rowGone(members.indexOf(first))
  }
  const onChanged = (changed: readonly PageMember[], role: string) =>
    setMembers(members.map((member) => (changed.includes(member) ? { ...member, role } : member)))

  return (
    <SectionFrame
      title={common.members}
      text={t(texts.text, { organization: data.organization.name })}
      alert={alert}
      status={status}
      onAttempt={onAttempt}
    >
      <div data-tg="panel">
        <Finder data={data} onQuery={onQuery} />
        <p data-tg="hint" aria-live="polite">
          {t(texts.found, { count: total })}
        </p>
        {members.length === 0 ? <NoMatch data={data} onQuery={onQuery} /> : null}
        {members.length > 0 ? (
          <table data-tg="people">
            <thead>
              <tr>
                {isSelectable ? (
                  <th scope="col" data-cell="select">
                    <PageBox selection={selection} />
                  </th>
                ) : null}
                <th scope="col">{texts.member}</th>
                <th scope="col">{common.role}</th>
                <th scope="col" data-cell="teams">
                  {common.teams}
                </th>
                <th scope="col" data-cell="joined">
                  {texts.joined}
                </th>
                <th scope="col" data-cell="actions">
                  <span data-tg="visually-hidden">{common.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody ref={list} data-tg="rows">
              {members.map((member) => (
                <MemberRow
                  key={member.id}
                  data={data}
                  member={member}
                  state={state}
                  report={report}
                  selection={isSelectable ? selection : undefined}
                  onChanged={(role) => onChanged([member], role)}
                  onRemoved={() => onRemoved([member])}
                  onLeft={onLeft}
                />
              ))}
            </tbody>
          </table>
        ) : null}
        {isSelectable ? (
          <SelectionBar data={data} selection={selection} report={report} onChanged={onChanged} onRemoved={onRemoved} />
        ) : null}
        <Pages data={data} onQuery={onQuery} />
      </div>
    </SectionFrame>
  )
}

function Finder({ data, onQuery }: { data: Data; onQuery: OnQuery | undefined }) {
  const texts = useMessages('organizationMembers')
  const common = useMessages('organization')
  const roleText = useRoleText()
  const page = usePageOf(data)('members')
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element search is not known to every browser that we draw for
    <form {...queryForm(page, onQuery)} data-tg="filters" role="search" aria-label={texts.find}>
      <Field
        id="members-search"
        name="search"
        type="search"
        label={texts.search}
        defaultValue={data.search}
        autoComplete="off"
        maxLength={100}
      />
      <SelectField
        id="members-role"
        name="role"
        label={common.role}
        defaultValue={data.role}
        options={[['', texts.everyRole], ...data.roles.map(({ name }) => [name, roleText(name)] as const)]}
      />
      <Button type="submit">{texts.submit}</Button>
    </form>
  )
}

function NoMatch({ data, onQuery }: { data: Data; onQuery: OnQuery | undefined }) {
  const texts = useMessages('organizationMembers')
  const page = usePageOf(data)('members')
  return (
    <p data-tg="row">
      <span>{texts.noMatch}</span>
      <a href={page} onClick={asking(onQuery, {})}>
        {texts.clear}
      </a>
    </p>
  )
}

/** A link that calls back instead of navigating, for an embedded section. */
const asking = (onQuery: OnQuery | undefined, query: Record<string, string>) =>
  onQuery &&
  ((event: MouseEvent) => {
    event.preventDefault()
    onQuery(query)
  })

function Pages({ data, onQuery }: { data: Data; onQuery: OnQuery | undefined }) {
  const texts = useMessages('organizationMembers')
  const t = useText()
  const page = usePageOf(data)('members')
  const { offset, limit, total, search, role } = data
  if (offset === 0 && total <= limit) return null
  const link = (to: number, label: string) => {
    const query = { search, role, offset: to > 0 ? String(to) : '' }
    return (
      <a href={withQuery(page, query)} onClick={asking(onQuery, query)}>
        {label}
      </a>
    )
  }
  return (
    <nav data-tg="row" aria-label={texts.pages}>
      <span>{t(texts.range, { from: offset + 1, to: Math.min(offset + limit, total), total })}</span>
      {offset > 0 ? link(Math.max(0, offset - limit), texts.previous) : null}
      {offset + limit < total ? link(offset + limit, texts.next) : null}
    </nav>
  )
}

type RowProps = {
  data: Data
  member: PageMember
  state: FormState | undefined
  report: Report
  onChanged: (role: string) => void
  onRemoved: () => void
  onLeft: (() => void) | undefined
}

function MemberRow({ data, member, selection, ...rest }: RowProps & { selection: Selection | undefined }) {
  const texts = useMessages('organizationMembers')
  const common = useMessages('organization')
  const roleText = useRoleText()
  const t = useText()
  const { user } = member
  const name = user.name || user.email
  const { you, isOnlyOwner, managed, mayChange, mayReplace, mayRemove } = rightsOver(data, member)
  const teams = data.teamNames[member.id] ?? []
  return (
    <tr data-tg="member">
      {selection ? (
        <td data-cell="select">
          <MemberBox member={member} selection={selection} />
        </td>
      ) : null}
      <th scope="row">
        <Person {...user} you={you} />
      </th>
      <td data-cell="role">
        {mayReplace ? (
          <RoleSelect data={data} member={member} name={name} report={rest.report} onChanged={rest.onChanged} />
        ) : (
          <>
            {roleText(member.role)}
            {may(data, 'member', 'update') && !managed ? <p data-tg="hint">{texts.above}</p> : null}
            {you && isOnlyOwner ? <p data-tg="hint">{texts.onlyOwner}</p> : null}
          </>
        )}
      </td>
      <td data-cell="teams">{teams.join(', ')}</td>
      <td data-cell="joined" data-label={texts.joined}>
        <RelativeTime at={member.createdAt} now={data.now} />
      </td>
      <td data-cell="actions">
        {mayChange || mayRemove || you ? (
          <RowMenu label={`${common.actions} ${name}`}>
            {mayChange ? (
              <Ask
                label={texts.change}
                about={name}
                title={t(texts.changeTitle, { name })}
                look="quiet"
                open={stateOf(rest.state, 'member-role', 'memberId', member.id) && !rest.state?.done}
              >
                {(close) => (
                  <RolesForm data={data} member={member} isOnlyOwner={isOnlyOwner} {...rest} onDone={close} />
                )}
              </Ask>
            ) : null}
            {you ? (
              <Ask
                label={texts.leave}
                title={t(texts.leaveTitle, { organization: data.organization.name })}
                look="quiet"
              >
                {() => <LeaveForm frame={data} soleOwner={data.soleOwner} action="members" {...rest} />}
              </Ask>
            ) : mayRemove ? (
              <Ask label={common.remove} about={name} title={t(common.removeTitle, { name })} look="quiet">
                {() => <RemoveForm data={data} member={member} {...rest} />}
              </Ask>
            ) : null}
          </RowMenu>
        ) : null}
      </td>
    </tr>
  )
}

/** The role of a member in place: a choice saves itself. Several roles at once are in the row's menu. */
function RoleSelect({
  data,
  member,
  name,
  report,
  onChanged,
}: Pick<RowProps, 'data' | 'member' | 'report' | 'onChanged'> & { name: string }) {
  const texts = useMessages('organizationMembers')
  const common = useMessages('organization')
  const roleText = useRoleText()
  const t = useText()
  const page = usePageOf(data)('members')
  const [chosen, setChosen] = useState<string>()
  const roles = grantable(data).map(({ name: role }) => role)
  const form = useFormOf(memberRole, {
    state: undefined,
    at: { organization: data.organization },
    onSend: ({ role }) => setChosen(role),
    onSuccess: ({ role }) => onChanged(role),
    report: (result) => {
      setChosen(undefined)
      return report(result)
    },
  })
  return (
    <form {...form.props} action={page} data-tg="in-place">
      <Hidden form={form.name} memberId={member.id} />
      <label htmlFor={`role-of-${member.id}`} data-tg="visually-hidden">
        {t(texts.roleOf, { name })}
      </label>
      <select
        id={`role-of-${member.id}`}
        name="role"
        data-tg="input"
        value={chosen ?? member.role}
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
      >
        {/* Ownership is given in the form of the row's menu, not by one press of a key. */}
        {[...new Set([member.role, ...roles.filter((role) => role !== data.ownerRole)])].map((role) => (
          <option key={role} value={role}>
            {roleText(role)}
          </option>
        ))}
      </select>
      <span data-tg="scriptless">
        <Submit form={form} look="quiet" busyLabel={common.saving}>
          {common.save} <span data-tg="visually-hidden">{t(texts.roleOf, { name })}</span>
        </Submit>
      </span>
    </form>
  )
}

function RolesForm({
  data,
  member,
  state,
  report,
  isOnlyOwner,
  onChanged,
  onDone,
}: Omit<RowProps, 'onRemoved' | 'onLeft'> & { isOnlyOwner: boolean; onDone: () => void }) {
  const texts = useMessages('organizationMembers')
  const common = useMessages('organization')
  const page = usePageOf(data)('members')
  const own = stateOf(state, 'member-role', 'memberId', member.id)
  const form = useFormOf(memberRole, {
    state: own,
    at: { organization: data.organization },
    onSuccess: ({ role }) => {
      onChanged(role)
      onDone()
    },
    report: (result) => report(result),
  })
  return (
    <form {...form.props} action={page} data-tg="form">
      <Hidden form={form.name} memberId={member.id} />
      <RoleBoxes
        frame={data}
        form={form}
        prefix={`member-${member.id}`}
        held={splitRoles(member.role)}
        values={own?.values}
        locked={isOnlyOwner ? { role: data.ownerRole, reason: texts.onlyOwner } : undefined}
      />
      <Submit form={form} busyLabel={common.saving}>
        {common.save}
      </Submit>
    </form>
  )
}

function RemoveForm({ data, member, report, onRemoved }: Omit<RowProps, 'onChanged' | 'onLeft'>) {
  const texts = useMessages('organizationMembers')
  const common = useMessages('organization')
  const t = useText()
  const page = usePageOf(data)('members')
  const name = member.user.name || member.user.email
  const form = useFormOf(memberRemove, {
    state: undefined,
    at: { organization: data.organization },
    onSuccess: onRemoved,
    report: (result) => report(result),
  })
  return (
    <form {...form.props} action={page} data-tg="ask">
      <Hidden form={form.name} memberId={member.id} />
      <p>{t(texts.removeText, { name })}</p>
      <Submit form={form} look="danger" busyLabel={common.removing}>
        {common.remove} <span data-tg="visually-hidden">{name}</span>
      </Submit>
    </form>
  )
}
