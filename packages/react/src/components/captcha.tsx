import { type AuthCallName, authCalls, type Call, type CaptchaProvider, captchaFields } from '@tollgate/contract/calls'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Form } from '../hooks/use-form.ts'
import { useMessages, useTollgateContext } from '../provider.tsx'
import { type CaptchaWidget, drawCaptcha } from './captcha-widget.ts'

/** The captcha provider that the server is configured with. */
export type CaptchaOptions = {
  readonly provider: CaptchaProvider
  /** The public key of the widget. For reCAPTCHA a version 2 key, the checkbox. */
  readonly siteKey: string
  /** The guarded calls, if the server names its own (`captcha.endpoints`). */
  readonly calls?: readonly AuthCallName[]
}

const isGuarded = ({ calls }: CaptchaOptions, name: AuthCallName): boolean =>
  calls ? calls.includes(name) : (authCalls[name] as Call).captcha === 'default'

/**
 * The two halves of a captcha: `<TollgateProvider captcha>` renders it, `createTollgateClient({ captcha: answer })`
 * sends its answer.
 */
export type Captcha = {
  /** The provider's widget, in forms whose call needs an answer; otherwise nothing. */
  widget(form: Form): ReactNode
  /** The answer that a widget has put into its form, for guarded calls. */
  answer(call: AuthCallName): string | undefined
}

/** Created by pages with a captcha; other pages do not load it. */
export function createCaptcha(options: CaptchaOptions): Captcha {
  const { provider, siteKey } = options
  return {
    widget: (form) =>
      form.calls.some((call) => isGuarded(options, call)) ? (
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

  // An answer works once: the next attempt needs a new one in any case.
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
