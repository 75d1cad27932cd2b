import { linkCreate, linkRevoke } from '@tollgate/contract/forms'
import type { Answer } from '@tollgate/contract/types'
import { useState } from 'react'
import { Checkbox } from '../../elements/checkbox.tsx'
import { Field } from '../../elements/field.tsx'
import { Copy } from '../../elements/small.tsx'
import type { FormState } from '../../form-state.ts'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { useRowFocus } from '../../hooks/use-row-focus.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { useRoleText } from '../organization-parts.tsx'
import { Panel } from '../section-frame.tsx'
import { RelativeTime } from '../time.tsx'
import { may, type SectionData } from './data.ts'
import { Ask, SelectField } from './fields.tsx'
import { type Report, useFields, usePageOf, useRoleOptions } from './parts.tsx'

type Data = SectionData<'invitations'>
type Link = Answer<'listInvitationLinks'>[number]

/** Shareable links with their limits. */
export function LinksPanel({
  data,
  links: given,
  state,
  report,
}: {
  data: Data
  links: readonly Link[]
  state: FormState | undefined
  report: Report
}) {
  const texts = useMessages('organizationInvitations')
  const [links, setLinks] = useState(given)
  const [list, rowGone] = useRowFocus()
  return (
    <Panel title={texts.linksTitle}>
      <p>{texts.linksText}</p>
      {links.length === 0 ? <p data-tg="hint">{texts.noLinks}</p> : null}
      <ul data-tg="rows" ref={list}>
        {links.map((link, at) => (
          <LinkRow
            key={link.id}
            data={data}
            link={link}
            report={report}
            onRevoked={() => {
              setLinks(links.filter(({ id }) => id !== link.id))
              rowGone(at)
            }}
          />
        ))}
      </ul>
      <Ask label={texts.newLink} open={state?.form === 'link-create' && !state.done}>
        {(close) => (
          <LinkForm
            data={data}
            state={state}
            report={report}
            onCreated={(link) => {
              setLinks([link, ...links])
              close()
            }}
          />
        )}
      </Ask>
    </Panel>
  )
}

function LinkRow({ data, link, report, onRevoked }: { data: Data; link: Link; report: Report; onRevoked: () => void }) {
  const texts = useMessages('organizationInvitations')
  const roleText = useRoleText()
  const t = useText()
  const page = usePageOf(data)('invitations')
  const { maxUses, uses, expiresAt, emailDomains } = link
  const team = data.teams.find(({ id }) => id === link.teamId)
  const form = useFormOf(linkRevoke, {
    state: undefined,
    at: { organization: data.organization },
    onSuccess: onRevoked,
    report: (result) => report(result),
  })
  return (
    <li data-tg="entry">
      <div>
        <code>{link.url ?? link.id}</code>
        <p data-tg="hint">
          <span>{roleText(link.role)}</span>
          {team ? <span>{team.name}</span> : null}
          <span>
            {maxUses === null ? t(texts.usesUnlimited, { count: uses }) : t(texts.uses, { count: uses, max: maxUses })}
          </span>
          <span>
            {expiresAt ? t.rich(texts.expires, { when: <RelativeTime at={expiresAt} now={data.now} /> }) : texts.never}
          </span>
          {emailDomains.length > 0 ? <span>{t(texts.onlyDomains, { domains: emailDomains.join(', ') })}</span> : null}
          {link.requiresApproval ? <span>{texts.wantsApproval}</span> : null}
        </p>
      </div>
      <div data-tg="row-actions">
        {link.url ? <Copy text={link.url} label={texts.linkCopy} /> : null}
        {may(data, 'invitation', 'cancel') ? (
          <form {...form.props} action={page}>
            <Hidden form={form.name} linkId={link.id} />
            <Submit form={form} look="secondary" busyLabel={texts.revoking}>
              {texts.revoke}
            </Submit>
          </form>
        ) : null}
      </div>
    </li>
  )
}

function LinkForm({
  data,
  state,
  report,
  onCreated,
}: {
  data: Data
  state: FormState | undefined
  report: Report
  onCreated: (link: Link) => void
}) {
  const texts = useMessages('organizationInvitations')
  const common = useMessages('organization')
  const roles = useRoleOptions(data)
  const form = useFormOf(linkCreate, {
    state: state?.form === 'link-create' ? state : undefined,
    at: { organization: data.organization },
    onSuccess: (link, _, element) => {
      element.reset()
      onCreated(link)
    },
    report: (result) => report(result),
  })
  const field = useFields(form, 'link')
  // A refused form keeps its checkboxes.
  const sentBefore = state?.form === 'link-create' ? state.values : undefined
  return (
    <form {...form.props} action={usePageOf(data)('invitations')} data-tg="form">
      <Hidden form={form.name} />
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
      <Field {...field('maxUses')} label={texts.maxUses} inputMode="numeric" autoComplete="off" maxLength={5} />
      <Field {...field('expiresIn')} label={texts.expiresIn} inputMode="numeric" autoComplete="off" maxLength={3} />
      <Field
        {...field('emailDomains')}
        label={texts.emailDomains}
        hint={texts.domainsHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={2000}
      />
      <Checkbox
        id="link-requiresApproval"
        name="requiresApproval"
        label={texts.approval}
        defaultChecked={sentBefore?.requiresApproval !== undefined}
      />
      <Submit form={form} busyLabel={texts.creating}>
        {texts.createLink}
      </Submit>
    </form>
  )
}
