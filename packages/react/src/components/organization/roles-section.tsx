import { type Statements, splitRoles } from '@tollgate/contract/calls'
import { roleCreate, roleDelete, roleUpdate } from '@tollgate/contract/forms'
import type { PageRole } from '@tollgate/contract/pages'
import { type FormEvent, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Checkbox } from '../../elements/checkbox.tsx'
import { Field } from '../../elements/field.tsx'
import type { FormState } from '../../form-state.ts'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { useRowFocus } from '../../hooks/use-row-focus.ts'
import { textNamed } from '../../i18n/text-named.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { useRoleText } from '../organization-parts.tsx'
import { Panel, SectionFrame } from '../section-frame.tsx'
import { may, permissionsOf, type SectionData } from './data.ts'
import { Ask, Choices, SelectField } from './fields.tsx'
import { type Report, stateOf, useFields, useOutcome, usePageOf } from './parts.tsx'

type Data = SectionData<'roles'>
type Props = { data: Data; state: FormState | undefined }

/** The permissions of each role, the organization's own roles, and one member's resulting permissions. */
export function RolesSection({ data, state }: Props) {
  const texts = useMessages('organizationRoles')
  const common = useMessages('organization')
  const { alert, status, onAttempt, report } = useOutcome(state, {
    'role-saved': common.saved,
    'role-removed': texts.removed,
  })
  const [roles, setRoles] = useState(data.roles)
  const [list, rowGone] = useRowFocus()
  const own = roles.filter(({ id }) => id !== undefined)
  const now = { ...data, roles }
  return (
    <SectionFrame title={common.roles} text={texts.text} alert={alert} status={status} onAttempt={onAttempt}>
      <Panel title={texts.matrix}>
        <Matrix data={now} />
        <RoleList data={now} />
      </Panel>
      <Panel title={texts.own}>
        {own.length === 0 ? <p data-tg="hint">{texts.noOwn}</p> : null}
        <ul data-tg="rows" ref={list}>
          {own.map((role, at) => (
            <OwnRole
              key={role.id}
              data={now}
              role={role}
              state={state}
              report={report}
              onChanged={(changed) => setRoles(roles.map((one) => (one.id === role.id ? changed : one)))}
              onRemoved={() => {
                setRoles(roles.filter(({ id }) => id !== role.id))
                rowGone(at)
              }}
            />
          ))}
        </ul>
        {may(data, 'ac', 'create') ? (
          <Ask label={texts.create} open={state?.form === 'role-create' && !state.done}>
            {(close) => (
              <RoleForm
                data={now}
                given={undefined}
                state={state?.form === 'role-create' ? state : undefined}
                report={report}
                onSaved={(role) => {
                  setRoles([...roles, role])
                  close()
                }}
              />
            )}
          </Ask>
        ) : null}
      </Panel>
      <Preview data={now} />
    </SectionFrame>
  )
}

/** The names of resources and actions: known ones in the page's language, others as they are. */
function usePermissionNames() {
  const texts = useMessages('organizationRoles')
  return {
    resource: (resource: string) => textNamed(texts.resources, resource) ?? resource,
    action: (resource: string, action: string) =>
      textNamed(texts.actions, `${resource}.${action}`) ?? `${resource}: ${action}`,
  }
}

/** Each action with its resource. */
const pairsOf = (statements: Statements): (readonly [string, string])[] =>
  Object.entries(statements).flatMap(([resource, actions]) => actions.map((action) => [resource, action] as const))

/** The resource whose name stands above others in the matrix; a resource that is not here stands for itself. */
const areas: Readonly<Record<string, string>> = {
  ac: 'organization',
  audit: 'organization',
  invitation: 'member',
  team: 'member',
  product: 'order',
  customer: 'order',
  subscription: 'order',
  discount: 'order',
  benefit: 'order',
  meter: 'order',
  webhook: 'order',
  token: 'order',
}

type Group = { readonly area: string; readonly pairs: readonly (readonly [string, string])[] }

/** The rows of the matrix by area, areas in the order of their first row. */
function groupsOf(statements: Statements): Group[] {
  const groups = Map.groupBy(pairsOf(statements), ([resource]) => areas[resource] ?? resource)
  return [...groups].map(([area, pairs]) => ({ area, pairs }))
}

/** The held permissions in the order of the matrix; unknown ones come first. */
function inOrder({ statements }: Data, held: Statements): (readonly [string, string])[] {
  const places = pairsOf(statements).map((pair) => pair.join('.'))
  return pairsOf(held).toSorted((one, other) => places.indexOf(one.join('.')) - places.indexOf(other.join('.')))
}

/** The same as the matrix, one role at a time, for screens that the matrix does not fit. */
function RoleList({ data }: { data: Data }) {
  const texts = useMessages('organizationRoles')
  const names = usePermissionNames()
  const roleText = useRoleText()
  return (
    <div data-tg="role-list">
      {data.roles.map(({ id, name, permissions }, at) => (
        <details key={id ?? name} name="role" open={at === 0}>
          <summary>
            <strong>{roleText(name)}</strong> {id ? null : <span data-tg="hint">{texts.builtIn}</span>}
          </summary>
          <ul data-tg="list">
            {inOrder(data, permissions).map(([resource, action]) => (
              <li key={`${resource}.${action}`}>{names.action(resource, action)}</li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  )
}

/** Scrolls sideways when it is too wide, also by keyboard. */
function Matrix({ data }: { data: Data }) {
  const texts = useMessages('organizationRoles')
  const names = usePermissionNames()
  const roleText = useRoleText()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section data-tg="scroll" tabIndex={0} aria-label={texts.matrix}>
      <table data-tg="matrix">
        <thead>
          <tr>
            <th scope="col">{texts.permission}</th>
            {data.roles.map(({ id, name }) => (
              <th key={id ?? name} scope="col">
                {roleText(name)}
                {id ? null : <span data-tg="hint"> {texts.builtIn}</span>}
              </th>
            ))}
          </tr>
        </thead>
        {groupsOf(data.statements).map(({ area, pairs }) => (
          <tbody key={area}>
            <tr data-tg="group">
              <th scope="rowgroup" colSpan={data.roles.length + 1}>
                {names.resource(area)}
              </th>
            </tr>
            {pairs.map(([resource, action]) => (
              <tr key={`${resource}.${action}`}>
                <th scope="row">{names.action(resource, action)}</th>
                {data.roles.map(({ id, name, permissions }) => (
                  <td key={id ?? name}>
                    <Mark holds={permissions[resource]?.includes(action) ?? false} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

function Mark({ holds }: { holds: boolean }) {
  const texts = useMessages('organizationRoles')
  return (
    <>
      <span aria-hidden="true" data-tg={holds ? 'holds' : 'lacks'}>
        {holds ? '✓' : '–'}
      </span>
      <span data-tg="visually-hidden">{holds ? texts.yes : texts.no}</span>
    </>
  )
}

type RoleProps = {
  data: Data
  role: PageRole
  state: FormState | undefined
  report: Report
  onChanged: (role: PageRole) => void
  onRemoved: () => void
}

function OwnRole({ data, role, state, report, onChanged, onRemoved }: RoleProps) {
  const texts = useMessages('organizationRoles')
  const common = useMessages('organization')
  const names = usePermissionNames()
  const t = useText()
  const id = role.id ?? ''
  const held = inOrder(data, role.permissions).map(([resource, action]) => names.action(resource, action))
  const updating = stateOf(state, 'role-update', 'roleId', id)
  return (
    <li data-tg="entry">
      <div>
        <strong>{role.name}</strong>
        <p data-tg="hint">{held.join(' · ')}</p>
      </div>
      <div data-tg="row-actions">
        {may(data, 'ac', 'update') ? (
          <Ask label={texts.edit} about={role.name} open={Boolean(updating && !updating.done)}>
            {(close) => (
              <RoleForm
                data={data}
                given={role}
                state={updating}
                report={report}
                onSaved={(saved) => {
                  onChanged(saved)
                  close()
                }}
              />
            )}
          </Ask>
        ) : null}
        {may(data, 'ac', 'delete') ? (
          <Ask label={common.remove} about={role.name} title={t(common.removeTitle, { name: role.name })} look="quiet">
            {() => <RemoveForm data={data} role={role} report={report} onRemoved={onRemoved} />}
          </Ask>
        ) : null}
      </div>
    </li>
  )
}

/** Creates or edits a role: its name, and a checkbox for each permission of the viewer. */
function RoleForm({
  data,
  given: role,
  state,
  report,
  onSaved,
}: {
  data: Data
  given: PageRole | undefined
  state: FormState | undefined
  report: Report
  onSaved: (role: PageRole) => void
}) {
  const texts = useMessages('organizationRoles')
  const common = useMessages('organization')
  const form = useFormOf<'createRole' | 'updateRole'>(role ? roleUpdate : roleCreate, {
    state,
    at: { organization: data.organization },
    onSuccess: ({ roleData }, _, element) => {
      onSaved({ id: roleData.id, name: roleData.role, permissions: roleData.permission })
      if (!role) element.reset()
    },
    report: (result) => report(result, role ? texts.changed : texts.created),
  })
  const prefix = role?.id ?? 'new-role'
  const field = useFields(form, prefix)
  const name = field('role')
  return (
    <form {...form.props} action={usePageOf(data)('roles')} data-tg="form">
      <Hidden form={form.name} roleId={role?.id} />
      <Field
        {...name}
        defaultValue={name.defaultValue ?? role?.name}
        label={texts.roleName}
        hint={texts.roleNameHint}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
      />
      <p data-tg="hint">{texts.onlyYours}</p>
      <PermissionPicker data={data} held={role?.permissions ?? {}} prefix={prefix} />
      <Submit form={form} busyLabel={role ? common.saving : texts.creating}>
        {role ? common.save : texts.createSubmit}
      </Submit>
    </form>
  )
}

/**
 * The viewer's own permissions can be checked. Further permissions of the role need a member who holds them, so they
 * are not offered.
 */
function PermissionPicker({ data, held, prefix }: { data: Data; held: Statements; prefix: string }) {
  const names = usePermissionNames()
  return Object.entries(data.statements).map(([resource, actions]) => {
    const offered = actions.filter((action) => may(data, resource, action))
    return offered.length === 0 ? null : (
      <Choices key={resource} legend={names.resource(resource)}>
        {offered.map((action) => (
          <Checkbox
            key={action}
            id={`${prefix}-permission.${resource}.${action}`}
            name={`permission.${resource}.${action}`}
            label={names.action(resource, action)}
            defaultChecked={held[resource]?.includes(action) ?? false}
          />
        ))}
      </Choices>
    )
  })
}

function RemoveForm({ data, role, report, onRemoved }: Omit<RoleProps, 'state' | 'onChanged'>) {
  const texts = useMessages('organizationRoles')
  const common = useMessages('organization')
  const form = useFormOf(roleDelete, {
    state: undefined,
    at: { organization: data.organization },
    onSuccess: onRemoved,
    report: (result) => report(result),
  })
  return (
    <form {...form.props} action={usePageOf(data)('roles')} data-tg="ask">
      <Hidden form={form.name} roleId={role.id} />
      <p>{texts.removeText}</p>
      <Submit form={form} look="danger" busyLabel={common.removing}>
        <span>
          {common.remove} <span data-tg="visually-hidden">{role.name}</span>
        </span>
      </Submit>
    </form>
  )
}

/** The permissions of one member: the union of their roles, in words. */
function Preview({ data }: { data: Data }) {
  const texts = useMessages('organizationRoles')
  const names = usePermissionNames()
  const roleText = useRoleText()
  const t = useText()
  const [chosen, setChosen] = useState(data.preview)

  // All data is already here; without JavaScript the page reloads with the person's id.
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const id = new FormData(event.currentTarget).get('member')
    const member = data.people.find((person) => person.id === id)
    if (member) setChosen({ member, permissions: permissionsOf(data.roles, splitRoles(member.role)) })
  }

  const values = chosen && {
    name: chosen.member.user.name || chosen.member.user.email,
    roles: roleText(chosen.member.role),
  }
  const allowed = inOrder(data, chosen?.permissions ?? {}).map(([resource, action]) => names.action(resource, action))
  return (
    <Panel title={texts.previewTitle}>
      <form action={usePageOf(data)('roles')} method="get" onSubmit={onSubmit} data-tg="filters">
        <SelectField
          id="preview-member"
          name="member"
          label={texts.person}
          defaultValue={data.preview?.member.id}
          options={data.people.map(({ id, user }) => [id, user.name ? `${user.name} (${user.email})` : user.email])}
        />
        <Button type="submit">{texts.preview}</Button>
      </form>
      <div aria-live="polite">
        {values ? <p>{t(allowed.length > 0 ? texts.may : texts.nothing, values)}</p> : null}
        {allowed.length > 0 ? (
          <ul data-tg="list">
            {allowed.map((action) => (
              <li key={action}>{action}</li>
            ))}
          </ul>
        ) : null}
      </div>
    </Panel>
  )
}
