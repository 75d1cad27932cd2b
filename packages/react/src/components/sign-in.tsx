import { magicLink, signIn } from '@tollgate/contract/forms'
import { useState } from 'react'
import { Checkbox } from '../elements/checkbox.tsx'
import { Field, identityAttributes, PasswordField } from '../elements/field.tsx'
import { Screen } from '../elements/screen.tsx'
import { Divider } from '../elements/small.tsx'
import type { FormState } from '../form-state.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { leaveFor } from './leave.ts'
import { type DrawMark, LastUsed, type Provider, ProviderButtons, useProviderForm } from './provider-buttons.tsx'
import { SignedInAlready, type SignedInAs, useAsked } from './signed-in-already.tsx'

export type SignInProps = {
  /** Where the form posts without JavaScript; the sign-in page by default. */
  action?: string
  /** How the form stands, when a server rendered it after a post, or to say something above it (`done`). */
  state?: FormState
  /** Where to go afterwards; the account page by default. The server checks it again. */
  callbackURL?: string
  /** The providers to choose from, as the server is set up; none by default. */
  providers?: readonly Provider[]
  /** Draws the mark beside a provider's name: `(id) => <ProviderMark id={id} />`. Words only without it. */
  mark?: DrawMark
  /** True where the server takes usernames too: the first field is for either. */
  username?: boolean
  /** True where the server mails links: offers one besides the password. */
  magicLink?: boolean
  /** False if passwords are off. */
  password?: boolean
  /** Why a redirect failed that led here: the code of the address, and its sentence (`callbackErrorText`). */
  error?: { code: string; text: string } | undefined
  /** What was used the last time in this browser, marked where there is a choice: `password`, `magic-link`, a provider's id. */
  lastMethod?: string
  /** Called with the same when one is used, to be kept for `lastMethod`. */
  onMethod?: (method: string) => void
  /** The user who is already signed in: offers to continue as them instead of the form. */
  signedInAs?: SignedInAs
  /** False hides the way to sign up. */
  signUp?: boolean
  /** False hides the way to a forgotten password. */
  forgotPassword?: boolean
  /** Called instead of leaving the page. */
  onSuccess?: () => void
}

/** Sign-in by a provider, by e-mail or username and password, or by a mailed link. */
export function SignIn(props: SignInProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('signIn')
  const [who, askNoMore] = useAsked(props.signedInAs, 'email')
  if (!who) return <SignInForm {...props} />
  const { callbackURL } = props
  return (
    <SignedInAlready
      who={who}
      path={paths.signIn}
      callbackURL={callbackURL}
      other={texts.otherAccount}
      onOther={askNoMore}
    />
  )
}

function SignInForm(props: SignInProps) {
  const { action, state, callbackURL, username, magicLink: hasLink, lastMethod, error, onMethod, onSuccess } = props
  const { providers = [], password: hasPassword = true, signUp = true, forgotPassword = true } = props
  const { paths, appName } = useTollgateContext()
  const texts = useMessages('signIn')
  const common = useMessages('common')
  const t = useText()
  const [done, setDone] = useState(false)

  const form = useFormOf<'signInEmail' | 'signInUsername' | 'signInMagicLink'>(
    hasPassword ? [signIn, magicLink] : magicLink,
    {
      state,
      at: { callbackURL, username, keepsPage: onSuccess !== undefined },
      onMethod,
      onSuccess: (_, { form: sent }) => setDone(sent !== magicLink.name),
      report: (outcome, { email = '' }) => (outcome?.code ? { ...outcome, values: { email: email.trim() } } : outcome),
      ...(onSuccess && {
        leave: ({ method, to }) => (to !== undefined && method === 'magic-link' ? leaveFor(to) : onSuccess()),
      }),
    },
  )
  const social = useProviderForm({
    state,
    at: { callbackURL },
    onMethod,
  })
  const field = useFieldProps(form)
  const formAlert = useFormAlert(form)
  const socialAlert = useFormAlert(social)
  const alert = formAlert ?? socialAlert ?? (form.state.done ? undefined : error?.text)
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
            {alert === error?.text ? (
              <div data-tg="hint">{t.rich(common.errorCode, { code: <code>{error?.code}</code> })}</div>
            ) : null}
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
      {providers.length > 0 ? (
        <ProviderButtons
          form={social}
          providers={providers}
          action={action ?? paths.signIn}
          callbackURL={callbackURL}
          lastMethod={lastMethod}
          mark={props.mark}
        />
      ) : null}
      {providers.length > 0 && (hasPassword || hasLink) ? <Divider>{common.or}</Divider> : null}
      {hasPassword || hasLink ? (
        <form {...form.props} action={action ?? paths.signIn} data-tg="form">
          <Field
            {...field('email')}
            {...identityAttributes}
            {...(username && hasPassword ? { type: 'text', label: texts.identifier } : { label: common.email })}
            autoComplete="username webauthn"
            required
            aside={lastMethod === 'password' ? <LastUsed /> : undefined}
          />
          {hasPassword ? (
            <>
              <PasswordField
                {...field('password')}
                label={texts.password}
                autoComplete="current-password"
                required
                aside={
                  forgotPassword ? (
                    <a href={withQuery(paths.forgotPassword, { callbackURL })}>{texts.forgot}</a>
                  ) : undefined
                }
              />
              <Checkbox id="rememberMe" name="rememberMe" label={texts.rememberMe} defaultChecked={remembers(state)} />
              <Submit form={form} wide busyLabel={texts.submitting}>
                {texts.submit}
              </Submit>
            </>
          ) : null}
          {hasLink ? (
            // The same address in another way: of two fields named `form` the first counts, here the pressed button's.
            <Submit
              form={form}
              look={hasPassword ? 'secondary' : 'primary'}
              wide
              busyLabel={texts.sendingLink}
              name="form"
              value="magic-link"
              formNoValidate={hasPassword}
            >
              {texts.sendLink}
              {lastMethod === 'magic-link' ? <LastUsed /> : null}
            </Submit>
          ) : null}
          <Hidden form={form.name} callbackURL={callbackURL} />
        </form>
      ) : null}
    </Screen>
  )
}

/** Checked unless the form came back with the box cleared. */
function remembers(state: FormState | undefined): boolean {
  return state?.values?.email === undefined || state.values.rememberMe !== undefined
}
