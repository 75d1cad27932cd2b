import { useState } from 'react'
import { ButtonLink } from '../elements/button.tsx'
import { Field, identityAttributes } from '../elements/field.tsx'
import { Screen } from '../elements/screen.tsx'
import type { FormState } from '../form-state.ts'
import { outcomeOf, useChecks, useForm } from '../hooks/use-form.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { leaveFor } from './leave.ts'
import { NewPasswordField } from './new-password-field.tsx'

export type SignUpProps = {
  /** Where the form posts without JavaScript; the sign-up page by default. */
  action?: string
  state?: FormState
  /** Where to go afterwards when the new account is signed in; the account page by default. Checked by the caller. */
  callbackURL?: string
  /** True when sign-up is switched off: says so instead of showing a form. */
  closed?: boolean
  /** From the link that makes the first administrator; sent along with the form. */
  setupToken?: string | undefined
  /** Called instead of leaving the page. */
  onSuccess?: (result: { signedIn: boolean; email: string }) => void
}

/** A new account with name, e-mail and password. */
export function SignUp({ action, state, callbackURL, closed, setupToken, onSuccess }: SignUpProps) {
  const { client, paths, appName } = useTollgateContext()
  const texts = useMessages('signUp')
  const common = useMessages('common')
  const t = useText()
  const checks = useChecks()
  const [done, setDone] = useState(false)

  const form = useForm({
    name: 'sign-up',
    state,
    fields: { name: checks.name, email: checks.email, password: checks.newPassword },
    submit: ({ name = '', email = '', password = '' }) =>
      outcomeOf(
        client.signUpEmail({
          name,
          email,
          password,
          callbackURL: paths.verifyEmail,
          ...(setupToken && { setupToken }),
        }),
        ['name', 'email', 'password'],
        ({ token }) => {
          setDone(true)
          if (onSuccess) onSuccess({ signedIn: token !== null, email })
          else if (token) leaveFor(callbackURL ?? paths.account)
          else leaveFor(withQuery(paths.verifyEmail, { email }))
          return undefined
        },
      ),
  })
  const field = useFieldProps(form)
  const alert = useFormAlert(form)
  const signIn = withQuery(paths.signIn, { callbackURL })

  if (closed) {
    return (
      <Screen title={texts.closedTitle} text={texts.closedText}>
        <ButtonLink href={signIn} wide>
          {common.backToSignIn}
        </ButtonLink>
      </Screen>
    )
  }

  return (
    <Screen
      title={appName ? t(texts.title, { app: appName }) : texts.titleNoApp}
      alert={alert}
      status={done ? texts.done : undefined}
      open={done}
      footer={
        <p>
          {texts.haveAccount} <a href={signIn}>{texts.signIn}</a>
        </p>
      }
    >
      <form {...form.props} action={action ?? paths.signUp} data-tg="form">
        <Hidden form={form.name} callbackURL={callbackURL} />
        {setupToken && <input type="hidden" name="setupToken" value={setupToken} />}
        <Field {...field('name')} label={texts.name} autoComplete="name" required maxLength={100} />
        <Field {...field('email')} {...identityAttributes} label={common.email} autoComplete="email" required />
        <NewPasswordField {...field('password')} label={common.password} />
        <Submit form={form} wide busyLabel={texts.submitting}>
          {texts.submit}
        </Submit>
      </form>
    </Screen>
  )
}
