import { createContext, type ReactNode, useContext } from 'react'
import { Button, type ButtonProps } from '../elements/button.tsx'
import { clockTime } from '../hooks/use-countdown.ts'
import { useErrorText } from '../hooks/use-error-text.ts'
import type { Form } from '../hooks/use-form.ts'
import { withQuery } from '../paths.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'

/** The alert above a form after a refusal: its text, or the number of fields to correct. */
export function useFormAlert(form: Form): ReactNode {
  const errorText = useErrorText()
  const { paths } = useTollgateContext()
  const texts = useMessages('common')
  const t = useText()
  const { code, fields, ...details } = form.state
  if (code === 'UNAUTHORIZED') {
    // Only calls report it: without JavaScript the server redirects to the sign-in.
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

/** A field's props, with its error in words. */
export function useFieldProps(form: Form) {
  const errorText = useErrorText()
  return (name: string) => {
    const { errorCode, ...field } = form.field(name)
    return { ...field, error: errorCode ? errorText(errorCode) : undefined }
  }
}

/** The button that closes the dialog around a form; undefined where there is none. */
export const DialogCancel = createContext<ReactNode>(undefined)

/** What a form ends with. In a dialog it is a footer that stays in sight, and begins with the way out. */
export function FormActions({ children }: { children?: ReactNode }) {
  const cancel = useContext(DialogCancel)
  if (!cancel) return children
  return (
    <div data-tg="actions">
      {cancel}
      {children}
    </div>
  )
}

/** The submit button: busy while the request runs, a countdown while the server asks to wait. */
export function Submit({ form, children, waiting, ...rest }: Omit<ButtonProps, 'form'> & { form: Form }) {
  const texts = useMessages('common')
  const t = useText()
  const refused = form.secondsLeft > 0
  const { captcha } = useTollgateContext()
  // One per form, beside any other buttons.
  const isItsOwn = rest.value === undefined || rest.value === form.name
  return (
    <>
      {isItsOwn ? captcha?.widget(form) : null}
      <FormActions>
        <Button
          look="primary"
          {...rest}
          type="submit"
          busy={form.sending === (rest.value ?? form.name)}
          waiting={waiting || refused || form.busy}
        >
          {refused && isItsOwn ? t(texts.tryAgainIn, { time: clockTime(form.secondsLeft) }) : children}
        </Button>
      </FormActions>
    </>
  )
}

/** The hidden fields: the form's name and values that travel with it. Empty ones are left out. */
export function Hidden(fields: Readonly<Record<string, string | undefined>>) {
  return Object.entries(fields).map(([name, value]) =>
    value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
  )
}
