import { teamCreate, teamMemberAdd, teamMemberRemove, teamRemove, teamRename } from '@tollgate/contract/forms'
import type { PageMember } from '@tollgate/contract/pages'
import { useState } from 'react'
import { Field } from '../../elements/field.tsx'
import type { FormState } from '../../form-state.ts'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { useRowFocus } from '../../hooks/use-row-focus.ts'
import { useMessages, useText } from '../../provider.tsx'
import { FormActions, Hidden, Submit } from '../form-parts.tsx'
import { Panel, SectionFrame } from '../section-frame.tsx'
import { may, type SectionData } from './data.ts'
import { Ask, SelectField } from './fields.tsx'
import { Person, type Report, stateOf, useFields, useOutcome, usePageOf } from './parts.tsx'

type Data = SectionData<'teams'>
type Entry = Data['teams'][number]
type Team = Entry['team']
type Props = { data: Data; state: FormState | undefined }

/** The teams with their members. */
export function TeamsSection({ data, state }: Props) {
  const texts = useMessages('organizationTeams')
  const common = useMessages('organization')
  const { alert, status, onAttempt, report } = useOutcome(state, {
    'team-saved': common.saved,
    'team-removed': texts.removed,
  })
  const [teams, setTeams] = useState(data.teams)
  const [list, rowGone] = useRowFocus()
  const change = (id: string, changed: (entry: Entry) => Entry) =>
    setTeams(teams.map((entry) => (entry.team.id === id ? changed(entry) : entry)))

  return (
    <SectionFrame title={common.teams} text={texts.text} alert={alert} status={status} onAttempt={onAttempt}>
      {may(data, 'team', 'create') ? (
        <Panel title={texts.create}>
          <CreateForm
            data={data}
            state={state}
            report={report}
            onCreated={(team) => setTeams([...teams, { team, members: [], total: 0, isOwn: false }])}
          />
        </Panel>
      ) : null}
      <div data-tg="panel">
        {teams.length === 0 ? <p data-tg="hint">{texts.none}</p> : null}
        <ul data-tg="rows" ref={list}>
          {teams.map((entry, at) => (
            <TeamRow
              key={entry.team.id}
              data={data}
              entry={entry}
              isLast={teams.length === 1}
              state={state}
              report={report}
              onChanged={(changed) => change(entry.team.id, changed)}
              onRemoved={() => {
                setTeams(teams.filter(({ team }) => team.id !== entry.team.id))
                rowGone(at)
              }}
            />
          ))}
        </ul>
      </div>
    </SectionFrame>
  )
}

function CreateForm({
  data,
  state,
  report,
  onCreated,
}: {
  data: Data
  state: FormState | undefined
  report: Report
  onCreated: (team: Team) => void
}) {
  const texts = useMessages('organizationTeams')
  const common = useMessages('organization')
  const form = useFormOf(teamCreate, {
    state: state?.form === 'team-create' ? state : undefined,
    at: { organization: data.organization },
    onSuccess: (team, _, element) => {
      element.reset()
      onCreated(team)
    },
    report: (result) => report(result, texts.created),
  })
  const field = useFields(form, 'team-new')
  return (
    <form {...form.props} action={usePageOf(data)('teams')} data-tg="form">
      <Hidden form={form.name} />
      <Field {...field('name')} label={common.name} required autoComplete="off" maxLength={100} />
      <Submit form={form} busyLabel={texts.creating}>
        {texts.createSubmit}
      </Submit>
    </form>
  )
}

type RowProps = {
  data: Data
  entry: Entry
  state: FormState | undefined
  report: Report
  onChanged: (changed: (entry: Entry) => Entry) => void
}

function TeamRow({ isLast, onRemoved, ...row }: RowProps & { isLast: boolean; onRemoved: () => void }) {
  const { data, entry, state } = row
  const texts = useMessages('organizationTeams')
  const common = useMessages('organization')
  const t = useText()
  const { team, total } = entry
  const mayChange = may(data, 'team', 'update')
  const kept = entry.isOwn ? texts.ownTeam : isLast && !data.features.removingLastTeam ? texts.lastTeam : undefined
  const open = (form: FormState['form']) => Boolean(stateOf(state, form, 'teamId', team.id) && !state?.done)
  return (
    <li data-tg="entry" data-wide="">
      <div data-tg="team">
        <div>
          <h2 data-tg="section-title">{team.name}</h2>
          <p data-tg="hint">{total === 0 ? texts.nobody : t(texts.people, { count: total })}</p>
        </div>
        <div data-tg="row-actions">
          {mayChange ? (
            <Ask label={texts.addPerson} about={team.name} open={open('team-member-add')}>
              {(close) => <AddForm {...row} onDone={close} />}
            </Ask>
          ) : null}
          {mayChange ? (
            <Ask label={texts.rename} about={team.name} open={open('team-rename')}>
              {(close) => <RenameForm {...row} onDone={close} />}
            </Ask>
          ) : null}
          {may(data, 'team', 'delete') ? (
            <Ask
              label={common.remove}
              about={team.name}
              title={t(common.removeTitle, { name: team.name })}
              look="quiet"
              open={open('team-remove')}
            >
              {() =>
                kept ? (
                  <>
                    <p data-tg="hint">{kept}</p>
                    <FormActions />
                  </>
                ) : (
                  <RemoveForm {...row} onRemoved={onRemoved} />
                )
              }
            </Ask>
          ) : null}
        </div>
      </div>
      <People {...row} />
    </li>
  )
}

function People(row: RowProps) {
  const { data, entry } = row
  const texts = useMessages('organizationTeams')
  const t = useText()
  const { team, members, total } = entry
  const [list, rowGone] = useRowFocus()
  return (
    <ul data-tg="rows" ref={list} aria-label={team.name}>
      {members.map((member, at) => (
        <li key={member.id} data-tg="entry">
          <Person {...member.user} you={member.userId === data.session.user.id} />
          {may(data, 'team', 'update') ? (
            <TakeOutForm
              {...row}
              member={member}
              onTakenOut={() => {
                row.onChanged((now) => ({
                  ...now,
                  members: now.members.filter(({ id }) => id !== member.id),
                  total: now.total - 1,
                  isOwn: now.isOwn && member.userId !== data.session.user.id,
                }))
                rowGone(at)
              }}
            />
          ) : null}
        </li>
      ))}
      {total > members.length ? <li data-tg="hint">{t(texts.more, { count: total - members.length })}</li> : null}
    </ul>
  )
}

function TakeOutForm({
  data,
  entry,
  member,
  report,
  onTakenOut,
}: RowProps & { member: PageMember; onTakenOut: () => void }) {
  const texts = useMessages('organizationTeams')
  const common = useMessages('organization')
  const { userId, user } = member
  const form = useFormOf(teamMemberRemove, {
    state: undefined,
    at: { organization: data.organization },
    onSuccess: onTakenOut,
    report: (result) => report(result, texts.takenOut),
  })
  return (
    <form {...form.props} action={usePageOf(data)('teams')}>
      <Hidden form={form.name} teamId={entry.team.id} userId={userId} />
      <Submit form={form} look="quiet" busyLabel={common.removing}>
        <span>
          {texts.takeOut} <span data-tg="visually-hidden">{user.name || user.email}</span>
        </span>
      </Submit>
    </form>
  )
}

function AddForm({ data, entry, state, report, onChanged, onDone }: RowProps & { onDone: () => void }) {
  const texts = useMessages('organizationTeams')
  const { team, members } = entry
  const outside = data.people.filter(({ userId }) => !members.some((member) => member.userId === userId))
  const form = useFormOf(teamMemberAdd, {
    state: stateOf(state, 'team-member-add', 'teamId', team.id),
    at: { organization: data.organization },
    onSuccess: (_, { userId }) => {
      const added = outside.find((person) => person.userId === userId)
      if (added)
        onChanged((now) => ({
          ...now,
          members: [...now.members, added],
          total: now.total + 1,
          isOwn: now.isOwn || userId === data.session.user.id,
        }))
      onDone()
    },
    report: (result) => report(result, texts.added),
  })
  const field = useFields(form, `add-${team.id}`)
  const page = usePageOf(data)('teams')
  if (outside.length === 0) return <p data-tg="hint">{texts.everyone}</p>
  return (
    <form {...form.props} action={page} data-tg="form">
      <Hidden form={form.name} teamId={team.id} />
      <SelectField
        {...field('userId')}
        label={texts.person}
        options={outside.map(({ userId, user }) => [userId, user.name ? `${user.name} (${user.email})` : user.email])}
      />
      <Submit form={form} busyLabel={texts.adding}>
        {texts.add}
      </Submit>
    </form>
  )
}

function RenameForm({ data, entry, state, report, onChanged, onDone }: RowProps & { onDone: () => void }) {
  const texts = useMessages('organizationTeams')
  const common = useMessages('organization')
  const { team } = entry
  const form = useFormOf(teamRename, {
    state: stateOf(state, 'team-rename', 'teamId', team.id),
    at: { organization: data.organization },
    onSuccess: (renamed) => {
      onChanged((now) => ({ ...now, team: renamed }))
      onDone()
    },
    report: (result) => report(result, texts.renamed),
  })
  const field = useFields(form, `rename-${team.id}`)
  const name = field('name')
  return (
    <form {...form.props} action={usePageOf(data)('teams')} data-tg="form">
      <Hidden form={form.name} teamId={team.id} />
      <Field
        {...name}
        defaultValue={name.defaultValue ?? team.name}
        label={common.name}
        required
        autoComplete="off"
        maxLength={100}
      />
      <Submit form={form} busyLabel={common.saving}>
        {common.save}
      </Submit>
    </form>
  )
}

function RemoveForm({ data, entry, report, onRemoved }: RowProps & { onRemoved: () => void }) {
  const texts = useMessages('organizationTeams')
  const common = useMessages('organization')
  const t = useText()
  const { id, name } = entry.team
  const form = useFormOf(teamRemove, {
    state: undefined,
    at: { organization: data.organization },
    onSuccess: onRemoved,
    report: (result) => report(result),
  })
  return (
    <form {...form.props} action={usePageOf(data)('teams')} data-tg="ask">
      <Hidden form={form.name} teamId={id} />
      <p>{t(texts.removeText, { team: name })}</p>
      <Submit form={form} look="danger" busyLabel={common.removing}>
        <span>
          {common.remove} <span data-tg="visually-hidden">{name}</span>
        </span>
      </Submit>
    </form>
  )
}
