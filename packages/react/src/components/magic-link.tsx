import { magicLink, magicLinkCode, magicLinkConfirm } from '@tollgate/contract/forms'
import { useEffect, useState } from 'react'
import { ButtonLink } from '../elements/button.tsx'
import { Field } from '../elements/field.tsx'
import { Screen } from '../elements/screen.tsx'
import type { FormState } from '../form-state.ts'
import { clockTime, useCountdown } from '../hooks/use-countdown.ts'
import type { Form } from '../hooks/use-form.ts'
import { useFormOf } from '../hooks/use-form-of.ts'
import { useHydrated } from '../hooks/use-hydrated.ts'
import { useSession } from '../hooks/use-session.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { InboxLink } from './inbox-link.tsx'
import { isLeaving, leaveFor } from './leave.ts'

export type MagicLinkSentProps = {
  /** The mail's recipient. */
  email: string
  /** Where the forms post without JavaScript. Default: its own page. */
  action?: string
  /** `done: 'resent'` shows that the mail was sent again. */
  state?: FormState
  /** The next page. Default: the account page. The caller validates it. */
  callbackURL?: string
  /** Digits of the code. */
  codeLength?: number
  /** Seconds until the mail can be resent. */
  resendAfter?: number
  /** Called instead of navigating. */
  onSuccess?: () => void
}

/** "Check your email": takes the mailed code, and continues once the link was opened in this browser. */
export function MagicLinkSent(props: MagicLinkSentProps) {
  const { email, state, callbackURL, codeLength = 6, resendAfter = 30, onSuccess } = props
  const { paths } = useTollgateContext()
  const texts = useMessages('magicLink')
  const t = useText()
  const hydrated = useHydrated()
  const [left, restart] = useCountdown(resendAfter)
  const action = props.action ?? paths.magicLinkSent
  const goOn = onSuccess ?? (() => leaveFor(callbackURL ?? paths.signedIn))
  const elsewhere = useSignedInElsewhere(email, goOn)

  const code: Form = useFormOf(magicLinkCode, {
    state,
    at: { callbackURL },
    onSend: () => resend.reset(),
    leave: goOn,
  })
  const resend: Form = useFormOf(magicLink, {
    state,
    at: { callbackURL, page: paths.magicLinkSent },
    fields: [],
    onSend: () => code.reset(),
    onSuccess: () => restart(resendAfter),
  })
  const field = useFieldProps(code)
  const codeAlert = useFormAlert(code)
  const resendAlert = useFormAlert(resend)
  const waiting = hydrated && left > 0

  return (
    <Screen
      title={texts.sentTitle}
      text={t.rich(texts.sentText, { email: <strong>{email}</strong> })}
      alert={codeAlert ?? resendAlert}
      status={elsewhere ? texts.done : resend.state.done ? texts.resent : undefined}
      open={elsewhere}
      footer={
        <p>
          <a href={withQuery(paths.signIn, { callbackURL })}>{texts.edit}</a>
        </p>
      }
    >
      <div data-tg="form">
        <form {...code.props} action={action} data-tg="form">
          <Hidden form={code.name} email={email} callbackURL={callbackURL} />
          <CodeField {...field('code')} length={codeLength} label={texts.code} />
          <Submit form={code} wide busyLabel={texts.submitting}>
            {texts.submit}
          </Submit>
        </form>
        <InboxLink look="secondary" />
        <form {...resend.props} action={action}>
          <Hidden form={resend.name} email={email} callbackURL={callbackURL} />
          {/* Without JavaScript there is no countdown, and the button is plain. */}
          <Submit form={resend} look="secondary" wide busyLabel={texts.sending} waiting={waiting}>
            {waiting ? t(texts.resendIn, { time: clockTime(left) }) : texts.resend}
          </Submit>
        </form>
        <p data-tg="hint">{texts.hint}</p>
      </div>
    </Screen>
  )
}

type CodeProps = { id: string; name: string; length: number; label: string; error?: string | undefined }

/** One field drawn as cells. It accepts pasted blanks and dashes, and submits with the last digit. */
function CodeField({ length, ...field }: CodeProps) {
  return (
    <Field
      {...field}
      data-code=""
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9 \-]*"
      maxLength={length * 2}
      required
      onChange={(event) => {
        const input = event.target
        const digits = input.value.replace(/\D/g, '').slice(0, length)
        if (digits !== input.value) input.value = digits
        if (digits.length === length) input.form?.requestSubmit()
      }}
    />
  )
}

const shortest = 2000
const longest = 15_000

/**
 * Notices that the link was opened in another tab. It polls every two seconds, then less often, and at once when the
 * page comes to the front; never while hidden.
 */
function useSignedInElsewhere(email: string, goOn: () => void): boolean {
  const { data, pending, refetch } = useSession()
  /** The session before the mail, which proves nothing; undefined until known. */
  const [before, setBefore] = useState<string | null>()

  useEffect(() => {
    let delay = shortest
    let timer: ReturnType<typeof setTimeout>
    const ask = () => {
      if (!document.hidden) refetch()
      delay = Math.min(delay * 1.2, longest)
      timer = setTimeout(ask, delay)
    }
    const onFront = () => {
      if (document.hidden) return
      clearTimeout(timer)
      delay = shortest
      ask()
    }
    timer = setTimeout(ask, delay)
    document.addEventListener('visibilitychange', onFront)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onFront)
    }
  }, [refetch])

  const id = data?.session.id ?? null
  const own = data?.user.email === email.trim().toLowerCase()
  const signedIn = id !== null && (own || (before !== undefined && id !== before))

  useEffect(() => {
    if (!pending) setBefore((known) => (known === undefined ? id : known))
  }, [pending, id])

  // biome-ignore lint/correctness/useExhaustiveDependencies: continues once, after sign-in
  useEffect(() => {
    if (signedIn && !isLeaving()) goOn()
  }, [signedIn])
  return signedIn
}

export type MagicLinkProps = {
  status: 'ready' | 'expired' | 'invalid'
  /** From the page's address; the button sends it. */
  token?: string
  /** The user that the link signs in. */
  email?: string
  callbackURL?: string
  action?: string
  state?: FormState
}

/** The target of the mailed link: a button, so that link scanners do not use it up. */
export function MagicLink({ status, token = '', email, callbackURL, action, state }: MagicLinkProps) {
  const { paths, appName } = useTollgateContext()
  const texts = useMessages('magicLink')
  const t = useText()
  const form = useFormOf(magicLinkConfirm, { state, at: { callbackURL } })
  const alert = useFormAlert(form)

  if (status !== 'ready') {
    return (
      <Screen title={texts[`${status}Title`]} alert={texts[`${status}Text`]}>
        <ButtonLink href={withQuery(paths.signIn, { callbackURL })} look="primary" wide>
          {texts.again}
        </ButtonLink>
      </Screen>
    )
  }
  return (
    <Screen
      title={appName ? t(texts.confirmTitle, { app: appName }) : texts.submit}
      text={email ? t.rich(texts.confirmText, { email: <strong>{email}</strong> }) : texts.confirmTextNoAddress}
      alert={alert}
    >
      <form {...form.props} action={action ?? paths.magicLink} data-tg="form">
        <Hidden form={form.name} token={token} callbackURL={callbackURL} />
        <Submit form={form} wide busyLabel={texts.submitting}>
          {texts.submit}
        </Submit>
      </form>
    </Screen>
  )
}
