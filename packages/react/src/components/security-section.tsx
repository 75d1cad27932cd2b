import { changePassword, setPassword } from '@tollgate/contract/forms'
import type { User } from '@tollgate/contract/types'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { Checkbox } from '../elements/checkbox.tsx'
import { HiddenUsername, PasswordField } from '../elements/field.tsx'
import type { FormState } from '../form-state.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import type { AccountFeatures } from './account-settings.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { InboxLink } from './inbox-link.tsx'
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
  const { paths } = useTollgateContext()
  const account = useMessages('account')
  const texts = useMessages('security')
  const t = useText()
  /** After a changed password the form disappears until the user opens it again. */
  const [changing, setChanging] = useState<'open' | 'gone' | 'again'>('open')

  const change = useFormOf(changePassword, { state, onSuccess: () => setChanging('gone') })
  const set = useFormOf(setPassword, { state, at: { user } })
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
      {set.state.done ? <InboxLink look="secondary" wide={false} /> : null}
      <Panel title={texts.passwordTitle}>
        {hasPassword && changing === 'gone' ? (
          <Changed
            onAgain={() => {
              change.reset()
              setChanging('again')
            }}
          />
        ) : null}
        {hasPassword && changing !== 'gone' ? (
          <form {...change.props} action={paths.security} data-tg="form">
            <Hidden form={change.name} />
            <HiddenUsername email={user.email} />
            <PasswordField
              {...field('currentPassword')}
              label={texts.currentPassword}
              autoComplete="current-password"
              required
              autoFocus={changing === 'again'}
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
        ) : null}
        {hasPassword ? null : (
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

/** What is in the place of the form once it has changed the password. */
function Changed({ onAgain }: { onAgain: () => void }) {
  const texts = useMessages('security')
  const place = useRef<HTMLDivElement>(null)

  // Password managers keep a new password when its form has gone and the history has changed.
  useEffect(() => {
    place.current?.closest('[data-tg-screen]')?.querySelector('h1')?.focus()
    history.replaceState(history.state, '', location.href)
  }, [])

  return (
    <div ref={place}>
      <Button onClick={onAgain}>{texts.changePassword}</Button>
    </div>
  )
}
