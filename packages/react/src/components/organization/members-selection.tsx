import type { AuthCallName } from '@tollgate/contract/calls'
import { type Form, memberRemove, memberRole } from '@tollgate/contract/forms'
import type { PageMember } from '@tollgate/contract/pages'
import { type ReactNode, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { useForm } from '../../hooks/use-form.ts'
import { useCallOf } from '../../hooks/use-form-of.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Submit } from '../form-parts.tsx'
import { useRoleText } from '../organization-parts.tsx'
import { grantable, rightsOver, type SectionData } from './data.ts'
import { Ask, SelectField } from './fields.tsx'
import { type Report, useRefusalText } from './parts.tsx'

type Data = SectionData<'members'>
type Members = readonly PageMember[]

/** The members of the page that are selected. Only those that the viewer may change or remove can be. */
export function useSelection(data: Data, members: Members) {
  const [ids, setIds] = useState<readonly string[]>([])
  const selectable = members.filter((member) => {
    const { mayReplace, mayRemove } = rightsOver(data, member)
    return mayReplace || mayRemove
  })
  const selected = selectable.filter(({ id }) => ids.includes(id))
  return {
    selectable,
    selected,
    has: ({ id }: PageMember) => ids.includes(id),
    toggle: ({ id }: PageMember) => setIds(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]),
    toggleAll: () => setIds(selected.length === selectable.length ? [] : selectable.map(({ id }) => id)),
    clear: () => setIds([]),
  }
}

export type Selection = ReturnType<typeof useSelection>

type BoxProps = { id: string; label: string; checked: boolean; some?: boolean; onChange: () => void }

/** A checkbox without visible words. It needs the script, and is not drawn without. */
function Box({ id, label, checked, some = false, onChange }: BoxProps) {
  return (
    <label data-tg="tick" htmlFor={id}>
      <input
        id={id}
        ref={(element) => {
          // No attribute says it.
          if (element) element.indeterminate = some && !checked
        }}
        type="checkbox"
        checked={checked}
        onChange={onChange}
      />
      <span data-tg="visually-hidden">{label}</span>
    </label>
  )
}

/** Selects all members of the page. */
export function PageBox({ selection: { selected, selectable, toggleAll } }: { selection: Selection }) {
  const texts = useMessages('organizationMembers')
  const all = selected.length === selectable.length
  return <Box id="select-all" label={texts.selectAll} checked={all} some={selected.length > 0} onChange={toggleAll} />
}

/** Selects a member, if the viewer may do something to them. */
export function MemberBox({ member, selection }: { member: PageMember; selection: Selection }) {
  const texts = useMessages('organizationMembers')
  const t = useText()
  if (!selection.selectable.includes(member)) return null
  const label = t(texts.select, { name: nameOf(member) })
  return (
    <Box
      id={`select-${member.id}`}
      label={label}
      checked={selection.has(member)}
      onChange={() => selection.toggle(member)}
    />
  )
}

type BarProps = {
  data: Data
  selection: Selection
  report: Report
  onChanged: (members: Members, role: string) => void
  onRemoved: (members: Members) => void
}

/** How many members are selected, and what can be done to all of them at once. */
export function SelectionBar({ data, selection, report, onChanged, onRemoved }: BarProps) {
  const texts = useMessages('organizationMembers')
  const common = useMessages('organization')
  const roleText = useRoleText()
  const t = useText()
  const { selected, clear } = selection
  const changeable = selected.filter((member) => rightsOver(data, member).mayReplace)
  const removable = selected.filter((member) => rightsOver(data, member).mayRemove)
  const roles = grantable(data).filter(({ name }) => name !== data.ownerRole)
  const change = t(texts.changeSome, { count: changeable.length })
  const remove = t(texts.removeSome, { count: removable.length })
  return (
    <div data-tg="selection" hidden={selected.length === 0}>
      <span aria-live="polite">{t(texts.selected, { count: selected.length })}</span>
      {changeable.length > 0 && roles.length > 0 ? (
        <Ask label={change}>
          {(close) => (
            <EachForm
              data={data}
              row={memberRole}
              members={changeable}
              onDone={(done, { role = '' }) => {
                onChanged(done, role)
                if (done.length < changeable.length) return
                report({ done: 'member-updated' })
                clear()
                close()
              }}
              submit={change}
              busyLabel={common.saving}
            >
              <SelectField
                id="selected-role"
                name="role"
                label={common.role}
                options={roles.map(({ name }) => [name, roleText(name)] as const)}
              />
            </EachForm>
          )}
        </Ask>
      ) : null}
      {removable.length > 0 ? (
        <Ask label={remove} look="danger-outline">
          {(close) => (
            <EachForm
              data={data}
              row={memberRemove}
              members={removable}
              onDone={(done) => {
                onRemoved(done)
                if (done.length < removable.length) return
                report({ done: 'member-removed' }, t(texts.removedSome, { count: done.length }))
                clear()
                close()
              }}
              submit={remove}
              busyLabel={common.removing}
              danger
            >
              {removable.length < selected.length ? <p>{texts.stay}</p> : null}
              <p>{texts.removeSomeText}</p>
            </EachForm>
          )}
        </Ask>
      ) : null}
      <Button look="quiet" onClick={clear}>
        {texts.clearSelection}
      </Button>
    </div>
  )
}

type EachProps<Call extends AuthCallName> = {
  data: Data
  /** The form of one member, which is sent for each. */
  row: Form<Call>
  members: Members
  /** Called with the members for whom it succeeded. */
  onDone: (members: Members, values: Readonly<Record<string, string>>) => void
  submit: string
  busyLabel: string
  danger?: boolean
  children: ReactNode
}

/** Sends the form of one member for each of several. Those that are refused stay selected, with the reasons. */
function EachForm<Call extends AuthCallName>(props: EachProps<Call>) {
  const { data, row, members, onDone, submit, busyLabel, danger, children } = props
  const texts = useMessages('organizationMembers')
  const refusalText = useRefusalText()
  const t = useText()
  const call = useCallOf(row)
  const [refused, setRefused] = useState<readonly string[]>([])
  const form = useForm({
    name: row.name,
    state: undefined,
    fields: {},
    submit: async (values) => {
      const done: PageMember[] = []
      const reasons: string[] = []
      for (const member of members) {
        const { error } = await call({ ...values, memberId: member.id }, { organization: data.organization })
        if (!error) done.push(member)
        else reasons.push(t(texts.reason, { name: nameOf(member), reason: refusalText(error.code ?? '', error) }))
      }
      setRefused(reasons)
      onDone(done, values)
      return {}
    },
  })
  return (
    <form {...form.props} data-tg="form">
      <div role="alert">
        {refused.map((reason) => (
          <p key={reason} data-tg="field-error">
            {reason}
          </p>
        ))}
      </div>
      {children}
      <Submit form={form} look={danger ? 'danger' : 'primary'} busyLabel={busyLabel}>
        {submit}
      </Submit>
    </form>
  )
}

const nameOf = ({ user }: PageMember): string => user.name || user.email
