import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '../elements/button.tsx'
import { clockTime } from '../hooks/use-countdown.ts'
import { useErrorText } from '../hooks/use-error-text.ts'
import type { Form } from '../hooks/use-form.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'

/** What stands above a form after a refusal: its text, or how many fields need a correction. */
export function useFormAlert(form: Form): ReactNode {
  const errorText = useErrorText()
  const { paths } = useTollgateContext()
  const texts = useMessages('common')
  const t = useText()
  const { code, fields, ...details } = form.state
  if (code === 'UNAUTHORIZED') {
    // Only ever told by a call: without JavaScript the server leads to the sign-in by itself.
    const callbackURL = typeof location === 'undefined' ? undefined : location.pathname + location.search
    return (
      <>
        {errorText(code, details)} <a href={withQuery(paths.signIn, { callbackURL })}>{texts.signIn}</a>
      </>
    )
  }
  if (code) return errorText(code, details)
  const count = Object.keys(fields ?? {}).length
  return count > 1 ? t(texts.checkFields, { count }) : undefined
}

/** What a field is bound with, its code already said in words. */
export function useFieldProps(form: Form) {
  const errorText = useErrorText()
  return (name: string) => {
    const { errorCode, ...field } = form.field(name)
    return { ...field, error: errorCode ? errorText(errorCode) : undefined }
  }
}

/** The button that sends a form: busy while it is sent, counting while the server does not want to hear from us. */
export function Submit({ form, children, waiting, ...rest }: Omit<ButtonProps, 'form'> & { form: Form }) {
  const texts = useMessages('common')
  const t = useText()
  const refused = form.secondsLeft > 0
  const { captcha } = useTollgateContext()
  // Once in a form, whatever further buttons it has.
  const isItsOwn = rest.value === undefined || rest.value === form.name
  return (
    <>
      {isItsOwn ? captcha?.widget(form) : null}
      <Button
        look="primary"
        {...rest}
        type="submit"
        busy={form.sending === (rest.value ?? form.name)}
        waiting={waiting || refused || form.busy}
      >
        {refused && isItsOwn ? t(texts.tryAgainIn, { time: clockTime(form.secondsLeft) }) : children}
      </Button>
    </>
  )
}

/** The fields that nobody sees: which form it is, and whatever has to travel with it. Empty ones are left out. */
export function Hidden(fields: Readonly<Record<string, string | undefined>>) {
  return Object.entries(fields).map(([name, value]) =>
    value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
  )
}
