import { signUp } from '@tollgate/contract/forms'
import { useState } from 'react'
import { ButtonLink } from '../elements/button.tsx'
import { Field, identityAttributes } from '../elements/field.tsx'
import { Screen } from '../elements/screen.tsx'
import { Divider } from '../elements/small.tsx'
import type { FormState } from '../form-state.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { type DrawMark, type Provider, ProviderButtons, useProviderForm } from './provider-buttons.tsx'
import { SignedInAlready, type SignedInAs, useAsked } from './signed-in-already.tsx'
import { UsernameField } from './username-field.tsx'

export type SignUpProps = {
  /** Where the form posts without JavaScript; the sign-up page by default. */
  action?: string
  state?: FormState
  /** Where to go afterwards when the new account is signed in; the account page by default. Checked by the caller. */
  callbackURL?: string
  /** The providers to choose from, as the server is set up; none by default. */
  providers?: readonly Provider[]
  /** Draws the mark beside a provider's name: `(id) => <ProviderMark id={id} />`. Words only without it. */
  mark?: DrawMark
  /** True where the server keeps usernames: asks for one, which may be left empty. */
  username?: boolean
  /** False where new accounts come by providers only. */
  password?: boolean
  /** True when sign-up is switched off: says so instead of showing a form. */
  closed?: boolean
  /** From the link that makes the first administrator; sent along with the form. */
  setupToken?: string | undefined
  /** True if the link no longer creates an administrator: shows that instead of a form. */
  isSetupOver?: boolean
  /** The user who is already signed in: offers to continue as them instead of the form. */
  signedInAs?: SignedInAs
  /** From the mail of an invitation: the account is for its address, which counts as proved. */
  invitation?: { id: string; proof: string; email: string; organizationName: string } | undefined
  /** Called instead of leaving the page. */
  onSuccess?: (result: { signedIn: boolean; email: string }) => void
}

/** A new account with name, e-mail and password, or by a provider. */
export function SignUp(props: SignUpProps) {
  const { paths } = useTollgateContext()
  const common = useMessages('common')
  const [who, askNoMore] = useAsked(props.signedInAs, 'name')
  if (!who) return <SignUpForm {...props} />
  const { callbackURL } = props
  return (
    <SignedInAlready
      who={who}
      path={paths.signUp}
      callbackURL={callbackURL}
      other={common.createAccount}
      onOther={askNoMore}
    />
  )
}

function SignUpForm(props: SignUpProps) {
  const { action, state, callbackURL, closed, setupToken, invitation, onSuccess, username: hasUsername } = props
  const { providers = [], password: hasPassword = true } = props
  const { paths, appName } = useTollgateContext()
  const texts = useMessages('signUp')
  const common = useMessages('common')
  const t = useText()
  const [done, setDone] = useState(false)

  const form = useFormOf(signUp, {
    state,
    at: { callbackURL },
    onSuccess: ({ token }, { email = '' }) => {
      setDone(true)
      onSuccess?.({ signedIn: token !== null, email: email.trim() })
    },
    ...(onSuccess && { leave: () => undefined }),
  })
  const social = useProviderForm({
    state,
    at: { callbackURL, page: paths.signUp },
  })
  const field = useFieldProps(form)
  const formAlert = useFormAlert(form)
  const socialAlert = useFormAlert(social)
  const signIn = withQuery(paths.signIn, { callbackURL })

  if (closed || props.isSetupOver) {
    return (
      <Screen title={texts.closedTitle} text={closed ? texts.closedText : texts.setupGone}>
        <ButtonLink href={signIn} wide>
          {common.backToSignIn}
        </ButtonLink>
      </Screen>
    )
  }

  return (
    <Screen
      title={appName ? t(texts.title, { app: appName }) : texts.titleNoApp}
      text={setupToken ? texts.setup : undefined}
      alert={formAlert ?? socialAlert}
      status={done ? texts.done : undefined}
      open={done}
      footer={
        <p>
          {texts.haveAccount} <a href={signIn}>{texts.signIn}</a>
        </p>
      }
    >
      {providers.length > 0 ? (
        <ProviderButtons
          form={social}
          providers={providers}
          action={action ?? paths.signUp}
          callbackURL={callbackURL}
          mark={props.mark}
        />
      ) : null}
      {providers.length > 0 && hasPassword ? <Divider>{common.or}</Divider> : null}
      {hasPassword ? (
        <form {...form.props} action={action ?? paths.signUp} data-tg="form">
          <Hidden
            form={form.name}
            callbackURL={callbackURL}
            setupToken={setupToken}
            invitationId={invitation?.id}
            invitationProof={invitation?.proof}
          />
          <Field {...field('name')} label={texts.name} autoComplete="name" required maxLength={100} />
          <Field
            {...field('email')}
            {...identityAttributes}
            label={common.email}
            autoComplete="email"
            required
            readOnly={invitation !== undefined}
            hint={invitation && t(texts.invited, { organization: invitation.organizationName })}
          />
          {hasUsername ? <UsernameField {...field('username')} optional /> : null}
          <NewPasswordField {...field('password')} label={common.password} />
          <Submit form={form} wide busyLabel={texts.submitting}>
            {texts.submit}
          </Submit>
        </form>
      ) : null}
    </Screen>
  )
}
