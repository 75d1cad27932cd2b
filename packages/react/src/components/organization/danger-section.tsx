import { splitRoles } from '@tollgate/contract/calls'
import { organizationDelete, organizationTransfer } from '@tollgate/contract/forms'
import { useState } from 'react'
import { ButtonLink } from '../../elements/button.tsx'
import { Field, HiddenUsername, PasswordField } from '../../elements/field.tsx'
import type { FormState } from '../../form-state.ts'
import { useFormOf } from '../../hooks/use-form-of.ts'
import { withQuery } from '../../paths.ts'
import { useMessages, useText, useTollgateContext } from '../../provider.tsx'
import { EndingPurchases } from '../ending-purchases.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { Panel, SectionFrame } from '../section-frame.tsx'
import { may, type SectionData } from './data.ts'
import { SelectField } from './fields.tsx'
import { LeaveForm } from './leave-form.tsx'
import { type Report, useFields, useOutcome, usePageOf, useRefusalText } from './parts.tsx'

type Data = SectionData<'danger'>
const stale = 'SESSION_IS_NOT_FRESH'

type Props = { data: Data; state: FormState | undefined; onLeft: (() => void) | undefined }

/** Leave, transfer, delete: actions that cannot be undone alone. */
export function DangerSection({ data, state, onLeft }: Props) {
  const texts = useMessages('organizationDanger')
  const common = useMessages('organization')
  const { alert, status, onAttempt, report, outcome } = useOutcome(state, {
    'ownership-transferred': texts.transferred,
  })
  const t = useText()
  // After a transfer the viewer is no longer an owner.
  const [handedOver, setHandedOver] = useState(false)
  const isOwner = data.isOwner && !handedOver
  const frame = { ...data, isOwner }
  return (
    <SectionFrame
      title={common.danger}
      // The request for the password appears beside the field.
      alert={outcome.code === stale ? undefined : alert}
      status={status}
      onAttempt={onAttempt}
    >
      <Panel title={texts.leaveTitle}>
        <LeaveForm frame={frame} soleOwner={data.soleOwner} action="danger" report={report} onLeft={onLeft} />
      </Panel>
      <Panel title={texts.transferTitle}>
        <p>{texts.transferText}</p>
        {isOwner ? (
          <TransferForm data={data} state={state} report={report} onTransferred={() => setHandedOver(true)} />
        ) : (
          <p data-tg="hint">{texts.ownersOnly}</p>
        )}
      </Panel>
      {may(data, 'organization', 'delete') && isOwner ? (
        <Panel title={texts.deleteTitle} tone="danger">
          {!data.features.deletion ? (
            <p data-tg="hint">{texts.deletionOff}</p>
          ) : data.hasSold ? (
            <p>{t(texts.sold, { organization: data.organization.name })}</p>
          ) : (
            <DeleteForm data={data} state={state} report={report} onLeft={onLeft} />
          )}
        </Panel>
      ) : null}
    </SectionFrame>
  )
}

/** A choice of members; for a session that is too old also the password field, or a link to sign in again. */
function TransferForm({
  data,
  state,
  report,
  onTransferred,
}: {
  data: Data
  state: FormState | undefined
  report: Report
  onTransferred: () => void
}) {
  const { paths } = useTollgateContext()
  const texts = useMessages('organizationDanger')
  const own = state?.form === 'organization-transfer' ? state : undefined
  const [asks, setAsks] = useState(data.asksPassword || own?.code === stale || own?.fields?.password !== undefined)
  const others = data.people.filter(
    ({ userId, role }) => userId !== data.session.user.id && !splitRoles(role).includes(data.ownerRole),
  )
  const form = useFormOf(organizationTransfer, {
    state: own,
    at: { organization: data.organization },
    onSuccess: () => {
      // The form disappears: a previous owner cannot transfer again.
      document.querySelector<HTMLElement>('[data-tg-screen] h1')?.focus()
      onTransferred()
    },
    report: (result) => {
      if (result?.code !== stale) return report(result)
      setAsks(true)
      return report({})
    },
  })
  const field = useFields(form, 'transfer')
  const page = usePageOf(data)('danger')
  if (others.length === 0) return <p data-tg="hint">{texts.transferNobody}</p>
  if (asks && !data.hasPassword) {
    return (
      <div data-tg="ask">
        <p>{texts.signInText}</p>
        <ButtonLink href={withQuery(paths.signIn, { switch: '1', callbackURL: page })} look="primary">
          {texts.signInAgain}
        </ButtonLink>
      </div>
    )
  }
  return (
    <form {...form.props} action={page} data-tg="form">
      <Hidden form={form.name} />
      <SelectField
        {...field('memberId')}
        label={texts.newOwner}
        required
        options={[
          ['', texts.choose],
          ...others.map(({ id, user }) => [id, user.name ? `${user.name} (${user.email})` : user.email] as const),
        ]}
      />
      {asks ? (
        <>
          <HiddenUsername email={data.session.user.email} />
          <p>{texts.passwordText}</p>
          <PasswordField
            {...field('password')}
            label={texts.password}
            autoComplete="current-password"
            required
            autoFocus
          />
        </>
      ) : null}
      <Submit form={form} look="danger-outline" busyLabel={texts.transferring}>
        {texts.transferSubmit}
      </Submit>
    </form>
  )
}

function DeleteForm({
  data,
  state,
  report,
  onLeft,
}: {
  data: Data
  state: FormState | undefined
  report: Report
  onLeft: (() => void) | undefined
}) {
  const texts = useMessages('organizationDanger')
  const t = useText()
  const refusalText = useRefusalText()
  const { slug } = data.organization
  const form = useFormOf(organizationDelete, {
    state: state?.form === 'organization-delete' ? state : undefined,
    at: { organization: data.organization },
    leave: onLeft,
    report: (result) => report(result),
  })
  const field = useFields(form, 'delete')
  const code = form.state.fields?.confirmation
  return (
    <>
      <p>{texts.deleteText}</p>
      <ul data-tg="list">
        {texts.consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {data.purchases ? <EndingPurchases purchases={data.purchases} /> : null}
      <form {...form.props} action={usePageOf(data)('danger')} data-tg="form">
        <Hidden form={form.name} />
        <Field
          {...field('confirmation')}
          error={code ? refusalText(code, { slug }) : undefined}
          label={<span>{t.rich(texts.typeSlug, { slug: <strong>{slug}</strong> })}</span>}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Submit form={form} look="danger" busyLabel={texts.deleting}>
          {texts.deleteSubmit}
        </Submit>
      </form>
    </>
  )
}
