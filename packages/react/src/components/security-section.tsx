import type { User } from '@tollgate/contract/types'
import type { MouseEvent } from 'react'
import { Checkbox } from '../elements/checkbox.tsx'
import { HiddenUsername, PasswordField } from '../elements/field.tsx'
import type { FormState } from '../form-state.ts'
import { doneState, outcomeOf, useChecks, useForm } from '../hooks/use-form.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import type { AccountFeatures } from './account-settings.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { Panel, SectionFrame } from './section-frame.tsx'

type Props = {
  user: User
  hasPassword: boolean
  features: AccountFeatures
  state: FormState | undefined
  /** Opens the deletion in place where the settings change sections by themselves. */
  onDelete: (event: MouseEvent) => void
}

/** The password, and the way to delete the account. */
export function SecuritySection({ user, hasPassword, features, state, onDelete }: Props) {
  const { client, paths } = useTollgateContext()
  const account = useMessages('account')
  const texts = useMessages('security')
  const t = useText()
  const checks = useChecks()

  const change = useForm({
    name: 'change-password',
    state,
    fields: { currentPassword: checks.password, newPassword: checks.newPassword },
    submit: ({ currentPassword = '', newPassword = '', revokeOtherSessions }, form) =>
      outcomeOf(
        client.changePassword({
          currentPassword,
          newPassword,
          revokeOtherSessions: revokeOtherSessions !== undefined,
        }),
        ['currentPassword', 'newPassword'],
        () => {
          form.reset()
          return doneState('password-changed')
        },
      ),
  })
  const set = useForm({
    name: 'set-password',
    state,
    fields: {},
    submit: () =>
      outcomeOf(client.requestPasswordReset({ email: user.email, redirectTo: paths.resetPassword }), [], () =>
        doneState('reset-mail-sent', { email: user.email }),
      ),
  })
  const field = useFieldProps(change)
  const changeAlert = useFormAlert(change)
  const setAlert = useFormAlert(set)
  const notices = {
    'password-changed': texts.passwordChanged,
    'reset-mail-sent': t(texts.resetMailSent, { email: user.email }),
  } as Partial<Record<string, string>>

  return (
    <SectionFrame
      title={account.security}
      alert={changeAlert ?? setAlert}
      status={notices[change.state.done ?? set.state.done ?? '']}
    >
      <Panel title={texts.passwordTitle}>
        {hasPassword ? (
          <form {...change.props} action={paths.security} data-tg="form">
            <Hidden form={change.name} />
            <HiddenUsername email={user.email} />
            <PasswordField
              {...field('currentPassword')}
              label={texts.currentPassword}
              autoComplete="current-password"
              required
            />
            <NewPasswordField {...field('newPassword')} label={texts.newPassword} />
            <Checkbox
              id="revokeOtherSessions"
              name="revokeOtherSessions"
              label={texts.revokeOthers}
              defaultChecked={state?.form !== change.name || state.values?.revokeOtherSessions !== undefined}
            />
            <Submit form={change} busyLabel={texts.changing}>
              {texts.changePassword}
            </Submit>
          </form>
        ) : (
          <form {...set.props} action={paths.security} data-tg="form">
            <Hidden form={set.name} />
            <p>{texts.noPasswordText}</p>
            <Submit form={set}>{texts.setPassword}</Submit>
          </form>
        )}
      </Panel>

      {features.deleteUser !== false ? (
        <Panel title={texts.dangerTitle} tone="danger">
          <p>{texts.dangerText}</p>
          <a href={paths.deleteAccount} data-tg="button" data-look="danger-outline" onClick={onDelete}>
            {texts.dangerAction}
          </a>
        </Panel>
      ) : null}
    </SectionFrame>
  )
}
