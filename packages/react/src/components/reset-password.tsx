import { resetPassword } from '@tollgate/contract/forms'
import { ButtonLink } from '../elements/button.tsx'
import { HiddenUsername } from '../elements/field.tsx'
import { Screen } from '../elements/screen.tsx'
import type { FormState } from '../form-state.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { DateTime } from './time.tsx'

export type ResetPasswordProps = {
  /** Where the form posts without JavaScript; the reset page by default. */
  action?: string
  /** `done: 'reset'` says that it is done; the code `INVALID_TOKEN` that the link no longer works. */
  state?: FormState
  /** From the address of the page. Without one the link counts as invalid. */
  token?: string
  /** The `error` of the page's address: any value means that the link no longer works. */
  error?: string
  /** The account's address, when the server knows it: tells a password manager what it is for. */
  email?: string
  /** Until when the link works, in ISO form, when the server knows it. */
  validUntil?: string
  /** Goes along to the sign-in page. Checked by the caller. */
  callbackURL?: string
  /** Called instead of showing the end. */
  onSuccess?: () => void
}

/** Sets a new password with the token of a mailed link. */
export function ResetPassword(props: ResetPasswordProps) {
  const { action, state, token, error, email, validUntil, callbackURL, onSuccess } = props
  const { paths } = useTollgateContext()
  const texts = useMessages('resetPassword')
  const common = useMessages('common')
  const t = useText()
  const form = useFormOf(resetPassword, {
    state,
    at: { callbackURL },
    onSuccess,
    ...(onSuccess && { report: (outcome) => (outcome?.done ? undefined : outcome) }),
  })
  const field = useFieldProps(form)
  const alert = useFormAlert(form)
  const signIn = withQuery(paths.signIn, { callbackURL })
  const back = (
    <p>
      <a href={signIn}>{common.backToSignIn}</a>
    </p>
  )

  if (form.state.done === 'reset') {
    return (
      <Screen title={texts.doneTitle} status={texts.doneText} open>
        <ButtonLink href={signIn} look="primary" wide>
          {common.signIn}
        </ButtonLink>
      </Screen>
    )
  }
  if (error || !token || form.state.code === 'INVALID_TOKEN') {
    return (
      <Screen title={texts.invalidTitle} alert={texts.invalidText} footer={back}>
        <ButtonLink href={withQuery(paths.forgotPassword, { callbackURL })} look="primary" wide>
          {texts.newLink}
        </ButtonLink>
      </Screen>
    )
  }

  return (
    <Screen title={texts.title} text={email ? t(texts.forAccount, { email }) : undefined} alert={alert} footer={back}>
      <form {...form.props} action={action ?? paths.resetPassword} data-tg="form">
        <Hidden form={form.name} token={token} callbackURL={callbackURL} />
        {email ? <HiddenUsername email={email} /> : null}
        <NewPasswordField {...field('newPassword')} label={texts.newPassword} />
        <p data-tg="hint">{texts.endsSessions}</p>
        {validUntil ? <p data-tg="hint">{t.rich(texts.validUntil, { time: <DateTime at={validUntil} /> })}</p> : null}
        <Submit form={form} wide busyLabel={texts.submitting}>
          {texts.submit}
        </Submit>
      </form>
    </Screen>
  )
}
