import { addressesIn, inviteMembers, isAddress } from '@tollgate/contract/forms'
import { useState } from 'react'
import { Badge } from '../../elements/status.tsx'
import type { FormState } from '../../form-state.ts'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { Panel } from '../section-frame.tsx'
import type { SectionData } from './data.ts'
import { SelectField, TextField } from './fields.tsx'
import { type Report, useFields, usePageOf, useRoleOptions } from './parts.tsx'

type Data = SectionData<'invitations'>

/** One field for many addresses; each is validated while typing, and has its own result. */
export function InviteForm({
  data,
  state,
  report,
  onInvited,
}: {
  data: Data
  state: FormState | undefined
  report: Report
  onInvited: (invitations: readonly Data['invitations'][number][]) => void
}) {
  const texts = useMessages('organizationInvitations')
  const common = useMessages('organization')
  const t = useText()
  const page = usePageOf(data)('invitations')
  const roles = useRoleOptions(data)
  const own = state?.form === 'invite-members' || state?.done === 'members-invited' ? state : undefined
  const [text, setText] = useState(own?.values?.emails ?? '')
  const form = useFormOf(inviteMembers, {
    state: own && { ...own, form: 'invite-members' },
    at: { organization: data.organization },
    onSuccess: ({ results }) => {
      onInvited(results.flatMap(({ invitation }) => (invitation ? [invitation] : [])))
      setText(results.flatMap(({ email, error }) => (error ? [email] : [])).join('\n'))
    },
    report: (result) => report(result, t(texts.sent, { count: Number(result?.values?.count ?? 0) })),
  })
  const field = useFields(form, 'invite')
  const emails = field('emails')
  return (
    <Panel title={texts.inviteTitle}>
      <form {...form.props} action={page} data-tg="form">
        <Hidden form={form.name} />
        <TextField
          id={emails.id}
          name={emails.name}
          label={texts.emails}
          hint={texts.emailsHint}
          error={emails.error}
          value={text}
          onChange={(event) => setText(event.target.value)}
          rows={3}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="email"
          maxLength={20_000}
        />
        <Chips text={text} onChange={setText} field={emails.id} />
        <SelectField
          {...field('role')}
          label={common.role}
          defaultValue={
            field('role').defaultValue ?? (roles.some(([name]) => name === 'member') ? 'member' : roles[0]?.[0])
          }
          options={roles}
        />
        {data.features.teams && data.teams.length > 0 ? (
          <SelectField
            {...field('teamId')}
            label={common.team}
            options={[['', common.noTeam], ...data.teams.map(({ id, name }) => [id, name] as const)]}
          />
        ) : null}
        <Submit form={form} busyLabel={texts.sending}>
          {texts.submit}
        </Submit>
      </form>
    </Panel>
  )
}

/** The typed addresses one by one: incomplete ones are marked, and each can be removed. */
function Chips({ text, onChange, field }: { text: string; onChange: (text: string) => void; field: string }) {
  const texts = useMessages('organizationInvitations')
  const t = useText()
  const addresses = addressesIn(text)
  // An address that is still being typed is not marked.
  const typing = /[^\s,;]$/.test(text) ? addresses.at(-1) : undefined
  const isWrong = (address: string) => address !== typing && !isAddress(address)
  if (addresses.length === 0) return null
  // Present from the start, so that nothing moves; hidden without JavaScript, because the buttons need it.
  return (
    <div data-tg="scripted">
      <p data-tg="hint" aria-live="polite">
        {t(texts.entered, { count: addresses.length })}
      </p>
      <ul data-tg="chips">
        {addresses.map((address) => (
          <li key={address} data-invalid={isWrong(address) || undefined}>
            <span>{address}</span>
            {isWrong(address) ? <Badge tone="danger">{texts.notComplete}</Badge> : null}
            <button
              type="button"
              data-tg="drop"
              aria-label={t(texts.drop, { email: address })}
              onClick={() => {
                onChange(addresses.filter((other) => other !== address).join('\n'))
                document.getElementById(field)?.focus()
              }}
            >
              <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
