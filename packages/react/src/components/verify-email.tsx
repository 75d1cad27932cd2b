import { resendVerification } from '@tollgate/contract/forms'
import type { Pages } from '@tollgate/contract/pages'
import { useEffect, useState } from 'react'
import { Button, ButtonLink } from '../elements/button.tsx'
import { Screen } from '../elements/screen.tsx'
import type { FormState } from '../form-state.ts'
import { clockTime, useCountdown } from '../hooks/use-countdown.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { useHydrated } from '../hooks/use-hydrated.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFormAlert } from './form-parts.tsx'
import { InboxLink } from './inbox-link.tsx'
import { leaveFor } from './leave.ts'

/** What the page has to say: the mail is on its way, none was sent yet, or how following its link went. */
export type VerifyEmailStatus = Pages['verify-email']['status']

export type VerifyEmailProps = {
  status: VerifyEmailStatus
  /** The address that the mail went to, or is to go to again, or that is confirmed. Without it nothing can be sent again. */
  email?: string
  /** The signed-in user, if the verified address belongs to another account. */
  signedInAs?: string
  /** Where the form that sends the mail again posts without JavaScript; the verification page by default. */
  action?: string
  /** `done: 'resent'` says that the mail was sent again. */
  state?: FormState
  /** Where to go from a verified address; the account page by default. Checked by the caller. */
  callbackURL?: string
  /** Seconds after which a verified address goes on by itself; 0 never does. */
  continueAfter?: number
}

const resendDelay = 30

/** "Check your email" after sign-up, and what a visitor sees who has followed the link. */
export function VerifyEmail(props: VerifyEmailProps) {
  const { status, email, callbackURL, signedInAs, continueAfter = 3 } = props
  const { paths } = useTollgateContext()
  const texts = useMessages('verifyEmail')
  const common = useMessages('common')
  const t = useText()

  switch (status) {
    case 'sent':
      return <Sent {...props} />
    case 'verified':
    case 'already':
      return (
        <Screen title={texts[`${status}Title`]} status={<Confirmed {...props} />} open={status === 'verified'}>
          <Continue
            to={callbackURL ?? paths.account}
            after={status === 'verified' && !signedInAs ? continueAfter : 0}
          />
        </Screen>
      )
    case 'unconfirmed':
    case 'expired':
    case 'invalid':
      return email ? (
        <Resend
          {...props}
          title={texts[`${status}Title`]}
          text={t.rich(texts[`${status}Text`], { email: <strong>{email}</strong> })}
          label={texts.newLink}
          primary
        />
      ) : (
        <Screen title={texts[`${status}Title`]} alert={status === 'unconfirmed' ? undefined : texts[`${status}Text`]}>
          <ButtonLink href={paths.signIn} look="primary" wide>
            {common.signIn}
          </ButtonLink>
        </Screen>
      )
    case 'user_not_found':
      return (
        <Screen title={texts.userNotFoundTitle} alert={texts.userNotFoundText}>
          <ButtonLink href={paths.signUp} wide>
            {common.createAccount}
          </ButtonLink>
        </Screen>
      )
    case 'unauthorized':
      return (
        <Screen title={texts.unauthorizedTitle} alert={texts.unauthorizedText}>
          <ButtonLink href={paths.account} wide>
            {texts.continue}
          </ButtonLink>
        </Screen>
      )
  }
}

/** That it is done, for which address, and who else is signed in here. */
function Confirmed({ status, email, signedInAs }: VerifyEmailProps) {
  const texts = useMessages('verifyEmail')
  const t = useText()
  if (status === 'already') return texts.alreadyText
  return (
    <span>
      {email ? t.rich(texts.verifiedNamed, { email: <strong>{email}</strong> }) : texts.verifiedText}
      {signedInAs ? <> {t.rich(texts.signedInElse, { email: <strong>{signedInAs}</strong> })}</> : null}
    </span>
  )
}

function Sent(props: VerifyEmailProps) {
  const texts = useMessages('verifyEmail')
  const t = useText()
  const text = props.email ? t.rich(texts.sentText, { email: <strong>{props.email}</strong> }) : texts.sentTextNoAddress
  return <Resend {...props} title={texts.sentTitle} text={text} label={texts.resend} />
}

function Resend({
  email,
  action,
  state,
  callbackURL,
  status,
  title,
  text,
  label,
  primary,
}: VerifyEmailProps & { title: string; text: React.ReactNode; label: string; primary?: boolean }) {
  const { paths } = useTollgateContext()
  const texts = useMessages('verifyEmail')
  const t = useText()
  // Both cases have just sent a mail; the button waits, to avoid a third.
  const [left, restart] = useCountdown(status === 'sent' || state?.done === 'resent' ? resendDelay : 0)
  const hydrated = useHydrated()
  const form = useFormOf(resendVerification, {
    state,
    at: { callbackURL, page: paths.verifyEmail },
    onSuccess: () => restart(resendDelay),
  })
  const alert = useFormAlert(form)
  const resent = form.state.done === 'resent'
  return (
    <Screen title={title} text={text} alert={alert} status={resent ? texts.resent : undefined}>
      <div data-tg="form">
        {/* Only once there is an announcement. */}
        {status === 'sent' || resent ? <InboxLink /> : null}
        {email ? (
          <form {...form.props} action={action ?? paths.verifyEmail} data-tg="form">
            <Hidden form={form.name} email={email} callbackURL={callbackURL} />
            {/* Without JavaScript nothing counts, so the button is just a button. */}
            <Submit
              form={form}
              look={primary && !resent ? 'primary' : 'secondary'}
              wide
              busyLabel={texts.resending}
              waiting={hydrated && left > 0}
            >
              {hydrated && left > 0 ? t(texts.resendIn, { time: clockTime(left) }) : label}
            </Submit>
          </form>
        ) : null}
        {status === 'sent' || resent ? <p data-tg="hint">{texts.hint}</p> : null}
      </div>
      {status === 'sent' ? (
        <div data-tg="card-footer">
          <p>
            <a href={paths.signUp}>{texts.edit}</a>
          </p>
        </div>
      ) : null}
    </Screen>
  )
}

/** Goes on by itself after a while, says so, and can be stopped. Without JavaScript it is just the link. */
function Continue({ to, after }: { to: string; after: number }) {
  const texts = useMessages('verifyEmail')
  const t = useText()
  const hydrated = useHydrated()
  const [left, restart] = useCountdown(after)
  const [stopped, setStopped] = useState(after === 0)

  useEffect(() => {
    if (left === 0 && !stopped) leaveFor(to)
  }, [left, stopped, to])

  return (
    <div data-tg="form">
      <ButtonLink href={to} look="primary" wide>
        {texts.continue}
      </ButtonLink>
      {hydrated && !stopped ? (
        <p data-tg="hint">
          {t(texts.continueSoon, { count: left })}{' '}
          <Button
            look="quiet"
            onClick={() => {
              setStopped(true)
              restart(0)
            }}
          >
            {texts.stay}
          </Button>
        </p>
      ) : null}
    </div>
  )
}
