import { forgotPassword } from '@tollgate/contract/forms'
import { ButtonLink } from '../elements/button.tsx'
import { Field, identityAttributes } from '../elements/field.tsx'
import { Screen } from '../elements/screen.tsx'
import type { FormState } from '../form-state.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { InboxLink } from './inbox-link.tsx'

export type ForgotPasswordProps = {
  /** Where the form posts without JavaScript. Default: the forgotten-password page. */
  action?: string
  /** `done: 'sent'` with `values.email` shows the confirmation, the same for unknown addresses. */
  state?: FormState
  /** Passed on to the sign-in page, also through the mailed link. The caller validates it. */
  callbackURL?: string
  /** The initial address. */
  email?: string
}

/** Requests a mail with a link to set a new password. */
export function ForgotPassword({ action, state, callbackURL, email }: ForgotPasswordProps) {
  const { paths } = useTollgateContext()
  const texts = useMessages('forgotPassword')
  const common = useMessages('common')
  const t = useText()
  const form = useFormOf(forgotPassword, { state, at: { callbackURL } })
  const field = useFieldProps(form)
  const alert = useFormAlert(form)
  const back = (
    <p>
      <a href={withQuery(paths.signIn, { callbackURL })}>{common.backToSignIn}</a>
    </p>
  )

  if (form.state.done === 'sent') {
    const address = <strong>{form.state.values?.email ?? ''}</strong>
    return (
      <Screen title={texts.sentTitle} status={<span>{t.rich(texts.sentText, { email: address })}</span>} footer={back}>
        <div data-tg="form">
          <p data-tg="hint">{texts.sentHint}</p>
          <InboxLink />
          <ButtonLink href={withQuery(paths.forgotPassword, { callbackURL })} wide>
            {texts.otherAddress}
          </ButtonLink>
        </div>
      </Screen>
    )
  }

  return (
    <Screen title={texts.title} text={texts.text} alert={alert} footer={back}>
      <form {...form.props} action={action ?? paths.forgotPassword} data-tg="form">
        <Hidden form={form.name} callbackURL={callbackURL} />
        <Field
          {...field('email')}
          {...identityAttributes}
          defaultValue={field('email').defaultValue ?? email}
          label={common.email}
          autoComplete="username"
          required
        />
        <Submit form={form} wide busyLabel={texts.submitting}>
          {texts.submit}
        </Submit>
      </form>
    </Screen>
  )
}
