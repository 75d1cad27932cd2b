import { useEffect, useState } from 'react'
import { ButtonLink } from '../elements/button.tsx'
import { Checkbox } from '../elements/checkbox.tsx'
import { Field, identityAttributes, PasswordField } from '../elements/field.tsx'
import { Screen } from '../elements/screen.tsx'
import type { FormState } from '../form-state.ts'
import { outcomeOf, useChecks, useForm } from '../hooks/use-form.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { leaveFor } from './leave.ts'

export type SignInProps = {
  /** Where the form posts without JavaScript; the sign-in page by default. */
  action?: string
  /** How the form stands, when a server rendered it after a post, or to say something above it (`done`). */
  state?: FormState
  /** Where to go afterwards; the account page by default. The server checks it again. */
  callbackURL?: string
  /** Somebody who is signed in already: offers to go on as them instead of the form. */
  signedInAs?: { name: string; email: string }
  /** False hides the way to sign up. */
  signUp?: boolean
  /** False hides the way to a forgotten password. */
  forgotPassword?: boolean
  /** Called instead of leaving the page. */
  onSuccess?: () => void
}

/** Sign-in by e-mail and password. */
export function SignIn(props: SignInProps) {
  const [otherAccount, setOtherAccount] = useState(false)

  // The link that was pressed is gone; the form that took its place begins with its first field.
  useEffect(() => {
    if (otherAccount) document.getElementById('email')?.focus()
  }, [otherAccount])

  return props.signedInAs && !otherAccount ? (
    <SignedInAlready {...props} who={props.signedInAs} onOther={() => setOtherAccount(true)} />
  ) : (
    <SignInForm {...props} />
  )
}

function SignInForm({ action, state, callbackURL, signUp = true, forgotPassword = true, onSuccess }: SignInProps) {
  const { client, paths, appName } = useTollgateContext()
  const texts = useMessages('signIn')
  const common = useMessages('common')
  const t = useText()
  const checks = useChecks()
  const [done, setDone] = useState(false)

  const form = useForm({
    name: 'sign-in',
    state,
    fields: { email: checks.email, password: checks.password },
    submit: async ({ email = '', password = '', rememberMe }) => {
      const outcome = await outcomeOf(
        client.signInEmail({
          email,
          password,
          rememberMe: rememberMe !== undefined,
          // With a callback the server checks where to go, and the client goes there.
          ...(callbackURL && !onSuccess ? { callbackURL } : {}),
        }),
        ['email', 'password'],
        ({ redirect }) => {
          setDone(true)
          if (onSuccess) onSuccess()
          else if (!redirect) leaveFor(paths.account)
          return undefined
        },
      )
      return outcome?.code ? { ...outcome, values: { email } } : outcome
    },
  })
  const field = useFieldProps(form)
  const alert = useFormAlert(form)
  const notices = {
    'password-reset': texts.passwordReset,
    'email-verified': texts.emailVerified,
    'signed-out': texts.signedOut,
    'account-deleted': texts.accountDeleted,
  } as Partial<Record<string, string>>
  const notice = done ? texts.done : notices[form.state.done ?? '']
  // The address that was just refused is worth carrying over to the page that resends the link.
  const resend =
    form.state.code === 'EMAIL_NOT_VERIFIED' ? (
      <>
        {' '}
        <a href={withQuery(paths.verifyEmail, { email: form.state.values?.email })}>{texts.resendVerification}</a>
      </>
    ) : null

  return (
    <Screen
      title={appName ? t(texts.title, { app: appName }) : texts.titleNoApp}
      alert={
        alert ? (
          <>
            {alert}
            {resend}
          </>
        ) : undefined
      }
      status={notice}
      open={done}
      footer={
        signUp ? (
          <p>
            {texts.newHere} <a href={withQuery(paths.signUp, { callbackURL })}>{texts.createAccount}</a>
          </p>
        ) : undefined
      }
    >
      <form {...form.props} action={action ?? paths.signIn} data-tg="form">
        <Hidden form={form.name} callbackURL={callbackURL} />
        <Field
          {...field('email')}
          {...identityAttributes}
          label={common.email}
          autoComplete="username webauthn"
          required
        />
        <PasswordField
          {...field('password')}
          label={texts.password}
          autoComplete="current-password"
          required
          aside={
            forgotPassword ? <a href={withQuery(paths.forgotPassword, { callbackURL })}>{texts.forgot}</a> : undefined
          }
        />
        <Checkbox id="rememberMe" name="rememberMe" label={texts.rememberMe} defaultChecked={remembers(state)} />
        <Submit form={form} wide busyLabel={texts.submitting}>
          {texts.submit}
        </Submit>
      </form>
    </Screen>
  )
}

/** Checked unless the form came back with the box cleared. */
function remembers(state: FormState | undefined): boolean {
  return state?.values?.email === undefined || state.values.rememberMe !== undefined
}

function SignedInAlready({
  callbackURL,
  who,
  onOther,
}: SignInProps & { who: { name: string; email: string }; onOther: () => void }) {
  const { paths } = useTollgateContext()
  const texts = useMessages('signIn')
  const t = useText()
  return (
    <Screen title={texts.signedInTitle} text={t(texts.signedInAs, who)}>
      <div data-tg="form">
        <ButtonLink href={callbackURL ?? paths.account} look="primary" wide>
          {t(texts.continueAs, { name: who.name })}
        </ButtonLink>
        {/* A link, so that it works without JavaScript: the page then renders the form. */}
        <a
          href={withQuery(paths.signIn, { switch: '1', callbackURL })}
          data-tg="button"
          data-look="secondary"
          data-wide
          onClick={(event) => {
            event.preventDefault()
            onOther()
          }}
        >
          {texts.otherAccount}
        </a>
      </div>
    </Screen>
  )
}
