import { type AuthCallName, authCalls, type Call, type CaptchaProvider, captchaFields } from '@tollgate/contract/calls'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FormName } from '../form-state.ts'
import type { Form } from '../hooks/use-form.ts'
import { useMessages, useTollgateContext } from '../provider.tsx'
import { type CaptchaWidget, drawCaptcha } from './captcha-widget.ts'

/** Who asks whether somebody is a person, as the server is set up. */
export type CaptchaOptions = {
  readonly provider: CaptchaProvider
  /** Public; the widget is made with it. Of reCAPTCHA a key of version 2, the checkbox. */
  readonly siteKey: string
  /** The calls that want an answer, where the server names its own (`captcha.endpoints`). */
  readonly calls?: readonly AuthCallName[]
}

const isGuarded = ({ calls }: CaptchaOptions, name: AuthCallName): boolean =>
  calls ? calls.includes(name) : (authCalls[name] as Call).captcha === true

/** What each form calls; the others call nothing that is ever guarded. */
const formCalls: Readonly<Partial<Record<FormName, readonly AuthCallName[]>>> = {
  'sign-in': ['signInEmail', 'signInUsername', 'signInMagicLink'],
  'sign-up': ['signUpEmail'],
  'forgot-password': ['requestPasswordReset'],
  'set-password': ['requestPasswordReset'],
  'resend-verification': ['sendVerificationEmail'],
  'magic-link': ['signInMagicLink'],
}

/** The two ends of a captcha in a page: `<TollgateProvider captcha>` draws, `createTollgateClient({ captcha: answer })` sends. */
export type Captcha = {
  /** The provider's widget, in forms whose call wants an answer; nothing in others. */
  widget(form: Form): ReactNode
  /** The answer that a widget of the page has put into its form, for the calls that want one. */
  answer(call: AuthCallName): string | undefined
}

/** Made by those who have a captcha; pages without one carry nothing of it. */
export function createCaptcha(options: CaptchaOptions): Captcha {
  const { provider, siteKey } = options
  return {
    widget: (form) =>
      formCalls[form.name]?.some((call) => isGuarded(options, call)) ? (
        <Widget provider={provider} siteKey={siteKey} isBusy={form.busy} />
      ) : null,
    answer: (call) => {
      if (!isGuarded(options, call)) return undefined
      const fields = document.querySelectorAll<HTMLInputElement>(`[name="${captchaFields[provider]}"]`)
      return [...fields].find(({ value }) => value !== '')?.value
    },
  }
}

type WidgetProps = { provider: CaptchaProvider; siteKey: string; isBusy: boolean }

function Widget({ provider, siteKey, isBusy }: WidgetProps) {
  const { locale } = useTollgateContext()
  const texts = useMessages('captcha')
  const [problem, setProblem] = useState<'failed' | 'expired'>()
  const place = useRef<HTMLDivElement>(null)
  const widget = useRef<CaptchaWidget>(undefined)
  const wasBusy = useRef(false)

  useEffect(() => {
    let isGone = false
    const draw = async () => {
      if (!place.current) return
      const drawn = await drawCaptcha(place.current, { provider, siteKey, locale, onState: setProblem })
      widget.current = drawn
      if (isGone) drawn.remove()
    }
    draw().catch(() => setProblem('failed'))
    return () => {
      isGone = true
      widget.current?.remove()
      widget.current = undefined
    }
  }, [provider, siteKey, locale])

  // An answer is good for one use: whatever the server has said, the next attempt needs another.
  useEffect(() => {
    if (wasBusy.current && !isBusy) widget.current?.reset()
    wasBusy.current = isBusy
  }, [isBusy])

  return (
    <div data-tg="captcha" data-provider={provider}>
      <div ref={place} />
      {/* The style sheet shows it where scripts are off. */}
      <p data-tg="field-error" data-scriptless>
        {texts.needsScript}
      </p>
      <div role="status">{problem ? <p data-tg="field-error">{texts[problem]}</p> : null}</div>
    </div>
  )
}
