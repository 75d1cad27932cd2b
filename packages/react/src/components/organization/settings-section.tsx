import {
  organizationLogo,
  organizationLogoRemove,
  organizationPolicy,
  organizationUpdate,
} from '@tollgate/contract/forms'
import { useState } from 'react'
import { Checkbox } from '../../elements/checkbox.tsx'
import { Field } from '../../elements/field.tsx'
import type { FormState } from '../../form-state.ts'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { withQuery } from '../../paths.ts'
import { useMessages, useTollgateContext } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { isLeaving, leaveFor } from '../leave.ts'
import { PictureForms } from '../picture/picture-forms.tsx'
import { Panel, SectionFrame } from '../section-frame.tsx'
import type { SectionData } from './data.ts'
import { DomainsPanel } from './domains-panel.tsx'
import { MetadataForm } from './metadata-form.tsx'
import { type Report, useFields, useOutcome, usePageOf, useRefusalText } from './parts.tsx'

type Data = SectionData<'settings'>
type Props = { data: Data; state: FormState | undefined; embedded: boolean }

/** Name, slug and logo, verification rule, metadata, and domains. */
export function SettingsSection({ data, state, embedded }: Props) {
  const texts = useMessages('organizationSettings')
  const common = useMessages('organization')
  const { alert, status, onAttempt, report } = useOutcome(state, {
    'organization-saved': common.saved,
    'domain-saved': common.saved,
    'domain-verified': texts.checked,
    'domain-removed': texts.removed,
  })
  return (
    <SectionFrame title={common.settings} alert={alert} status={status} onAttempt={onAttempt}>
      <Panel title={texts.profile}>
        <LogoForm data={data} state={state} report={report} />
        <ProfileForm data={data} state={state} report={report} embedded={embedded} />
      </Panel>
      <Panel title={texts.policy}>
        <PolicyForm data={data} state={state} report={report} />
      </Panel>
      <Panel title={texts.metadata}>
        <p>{texts.metadataText}</p>
        <MetadataForm data={data} state={state} report={report} />
      </Panel>
      {data.domains ? <DomainsPanel data={data} domains={data.domains} state={state} report={report} /> : null}
    </SectionFrame>
  )
}

type FormProps = { data: Data; state: FormState | undefined; report: Report }

/** The logo, which is saved as soon as it is cropped. */
function LogoForm({ data, state, report }: FormProps) {
  const texts = useMessages('organizationSettings')
  const refusalText = useRefusalText()
  const { organization } = data
  const [logo, setLogo] = useState(organization.logo)
  const form = useFormOf(organizationLogo, {
    state: state?.form === 'organization-logo' ? state : undefined,
    at: { organization },
    onSuccess: (saved, _, element) => {
      element.reset()
      setLogo(saved.logo)
    },
    report: (result) => report(result),
  })
  const removal = useFormOf(organizationLogoRemove, {
    state: state?.form === 'organization-logo-remove' ? state : undefined,
    at: { organization },
    onSuccess: () => setLogo(null),
    report: (result) => report(result),
  })
  return (
    <PictureForms
      id="organization-picture"
      label={texts.logo}
      owner={organization.name}
      image={logo}
      upload={form}
      removal={removal}
      action={usePageOf(data)('settings')}
      refusalText={refusalText}
    />
  )
}

function ProfileForm({ data, state, report, embedded }: FormProps & { embedded: boolean }) {
  const { paths } = useTollgateContext()
  const texts = useMessages('organizationSettings')
  const common = useMessages('organization')
  const { organization } = data
  const form = useFormOf(organizationUpdate, {
    state: state?.form === 'organization-update' ? state : undefined,
    at: { organization },
    onSuccess: (saved) => {
      if (saved.slug === organization.slug || embedded) return
      // The pages now have another address.
      const moved = `${paths.organization}/${encodeURIComponent(saved.slug)}/settings`
      leaveFor(withQuery(moved, { done: 'organization-saved' }))
    },
    report: (result) => report(isLeaving() ? undefined : result),
  })
  const field = useFields(form, 'organization')
  return (
    <form {...form.props} action={usePageOf(data)('settings')} data-tg="form">
      <Hidden form={form.name} />
      <Field
        {...field('name')}
        defaultValue={field('name').defaultValue ?? organization.name}
        label={common.name}
        autoComplete="organization"
        required
        maxLength={100}
      />
      <Field
        {...field('slug')}
        defaultValue={field('slug').defaultValue ?? organization.slug}
        label={texts.slug}
        hint={texts.slugHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={64}
      />
      <Submit form={form} busyLabel={common.saving}>
        {common.save}
      </Submit>
    </form>
  )
}

function PolicyForm({ data, state, report }: FormProps) {
  const texts = useMessages('organizationSettings')
  const common = useMessages('organization')
  const { organization } = data
  const form = useFormOf(organizationPolicy, {
    state: state?.form === 'organization-policy' ? state : undefined,
    at: { organization },
    report: (result) => report(result),
  })
  return (
    <form {...form.props} action={usePageOf(data)('settings')} data-tg="form">
      <Hidden form={form.name} />
      <Checkbox
        id="requireVerifiedEmail"
        name="requireVerifiedEmail"
        label={texts.requireVerified}
        defaultChecked={organization.requireVerifiedEmail}
        aria-describedby="requireVerifiedEmail-hint"
      />
      <p data-tg="hint" id="requireVerifiedEmail-hint">
        {texts.requireVerifiedHint}
      </p>
      <Submit form={form} look="secondary" busyLabel={common.saving}>
        {common.save}
      </Submit>
    </form>
  )
}
