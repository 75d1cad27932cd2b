import { domainAdd, domainRemove, domainUpdate, domainVerify } from '@tollgate/contract/forms'
import type { Answer } from '@tollgate/contract/types'
import { useState } from 'react'
import { Field } from '../../elements/field.tsx'
import { Copy } from '../../elements/small.tsx'
import { Badge } from '../../elements/status.tsx'
import type { FormState } from '../../form-state.ts'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { useRowFocus } from '../../hooks/use-row-focus.ts'
import { useMessages, useText } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { Panel } from '../section-frame.tsx'
import type { SectionData } from './data.ts'
import { Ask, SelectField } from './fields.tsx'
import { type Report, useFields, usePageOf } from './parts.tsx'

type Data = SectionData<'settings'>
type Domain = Answer<'listDomains'>[number]
type Mode = Domain['joinMode']

const modes: readonly Mode[] = ['auto', 'request', 'off']

/** The domains whose users join automatically or may request to, with their verification. */
export function DomainsPanel({
  data,
  domains: given,
  state,
  report,
}: {
  data: Data
  domains: readonly Domain[]
  state: FormState | undefined
  report: Report
}) {
  const texts = useMessages('organizationSettings')
  const [domains, setDomains] = useState(given)
  const [list, rowGone] = useRowFocus()
  return (
    <Panel title={texts.domains}>
      <p>{texts.domainsText}</p>
      {domains.length === 0 ? <p data-tg="hint">{texts.noDomains}</p> : null}
      <ul data-tg="rows" ref={list}>
        {domains.map((domain, at) => (
          <DomainRow
            key={domain.id}
            data={data}
            domain={domain}
            report={report}
            onChanged={(changed) => setDomains(domains.map((one) => (one.id === domain.id ? changed : one)))}
            onRemoved={() => {
              setDomains(domains.filter(({ id }) => id !== domain.id))
              rowGone(at)
            }}
          />
        ))}
      </ul>
      <Ask label={texts.addDomain} open={state?.form === 'domain-add' && !state.done}>
        {(close) => (
          <AddForm
            data={data}
            state={state}
            report={report}
            onAdded={(domain) => {
              setDomains([...domains, domain])
              close()
            }}
          />
        )}
      </Ask>
    </Panel>
  )
}

function useModes() {
  const texts = useMessages('organizationSettings')
  return modes.map((mode) => [mode, texts[mode]] as const)
}

function AddForm({
  data,
  state,
  report,
  onAdded,
}: {
  data: Data
  state: FormState | undefined
  report: Report
  onAdded: (domain: Domain) => void
}) {
  const texts = useMessages('organizationSettings')
  const form = useFormOf(domainAdd, {
    state: state?.form === 'domain-add' ? state : undefined,
    at: { organization: data.organization },
    onSuccess: (added, _, element) => {
      element.reset()
      onAdded(added)
    },
    report: (result) => report(result, texts.added),
  })
  const field = useFields(form, 'domain-new')
  return (
    <form {...form.props} action={usePageOf(data)('settings')} data-tg="form">
      <Hidden form={form.name} />
      <Field
        {...field('domain')}
        label={texts.domain}
        hint={texts.domainHint}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        maxLength={253}
      />
      <SelectField
        {...field('joinMode')}
        label={texts.joinMode}
        defaultValue={field('joinMode').defaultValue ?? 'request'}
        options={useModes()}
      />
      <Submit form={form} busyLabel={texts.adding}>
        {texts.add}
      </Submit>
    </form>
  )
}

type RowProps = {
  data: Data
  domain: Domain
  report: Report
  onChanged: (domain: Domain) => void
}

function DomainRow({ onRemoved, ...row }: RowProps & { onRemoved: () => void }) {
  const { domain } = row
  const texts = useMessages('organizationSettings')
  const common = useMessages('organization')
  const t = useText()
  const proven = domain.verifiedAt !== null
  return (
    <li data-tg="entry" data-wide="">
      <div>
        <strong>{domain.domain}</strong>{' '}
        <Badge tone={proven ? 'ok' : 'warn'}>{proven ? texts.verified : texts.unverified}</Badge>
      </div>
      {proven ? null : <RecordToCreate domain={domain} />}
      <ModeForm {...row} />
      <div data-tg="row-actions">
        {proven ? null : <VerifyForm {...row} />}
        <Ask
          label={common.remove}
          about={domain.domain}
          title={t(common.removeTitle, { name: domain.domain })}
          look="quiet"
        >
          {() => <RemoveForm {...row} onRemoved={onRemoved} />}
        </Ask>
      </div>
    </li>
  )
}

/** The TXT record that verifies a domain, for copying. */
function RecordToCreate({ domain: { record } }: { domain: Domain }) {
  const texts = useMessages('organizationSettings')
  return (
    <div>
      <p data-tg="hint">{texts.record}</p>
      <dl data-tg="record">
        {[[texts.recordName, record.name] as const, [texts.recordValue, record.value] as const].map(
          ([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <code>{value}</code> <Copy text={value} />
              </dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}

function VerifyForm({ data, domain, report, onChanged }: RowProps) {
  const texts = useMessages('organizationSettings')
  const form = useFormOf(domainVerify, {
    state: undefined,
    at: { organization: data.organization },
    onSuccess: onChanged,
    report: (result) => report(result),
  })
  return (
    <form {...form.props} action={usePageOf(data)('settings')}>
      <Hidden form={form.name} domainId={domain.id} />
      <Submit form={form} look="secondary" busyLabel={texts.checking}>
        <span>
          {texts.check} <span data-tg="visually-hidden">{domain.domain}</span>
        </span>
      </Submit>
    </form>
  )
}

function ModeForm({ data, domain, report, onChanged }: RowProps) {
  const texts = useMessages('organizationSettings')
  const common = useMessages('organization')
  const form = useFormOf(domainUpdate, {
    state: undefined,
    at: { organization: data.organization },
    onSuccess: onChanged,
    report: (result) => report(result, texts.changed),
  })
  const field = useFields(form, `mode-${domain.id}`)
  return (
    <form {...form.props} action={usePageOf(data)('settings')} data-tg="filters">
      <Hidden form={form.name} domainId={domain.id} />
      <SelectField {...field('joinMode')} label={texts.joinMode} defaultValue={domain.joinMode} options={useModes()} />
      <Submit form={form} look="secondary" busyLabel={common.saving}>
        {common.save}
      </Submit>
    </form>
  )
}

function RemoveForm({ data, domain, report, onRemoved }: Omit<RowProps, 'onChanged'> & { onRemoved: () => void }) {
  const texts = useMessages('organizationSettings')
  const common = useMessages('organization')
  const t = useText()
  const form = useFormOf(domainRemove, {
    state: undefined,
    at: { organization: data.organization },
    onSuccess: onRemoved,
    report: (result) => report(result),
  })
  return (
    <form {...form.props} action={usePageOf(data)('settings')} data-tg="ask">
      <Hidden form={form.name} domainId={domain.id} />
      <p>{t(texts.removeText, { domain: domain.domain })}</p>
      <Submit form={form} look="danger" busyLabel={common.removing}>
        <span>
          {common.remove} <span data-tg="visually-hidden">{domain.domain}</span>
        </span>
      </Submit>
    </form>
  )
}
