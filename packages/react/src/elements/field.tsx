import { type InputHTMLAttributes, type ReactNode, type Ref, useState } from 'react'
import { useMessages } from '../provider.tsx'

export type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'name'> & {
  ref?: Ref<HTMLInputElement>
  /** Also the start of the ids of hint and error. */
  id: string
  name: string
  label: ReactNode
  /** A sentence under the field that is always there. */
  hint?: ReactNode
  /** Why the value was refused. */
  error?: string | undefined
  /** Stands at the end of the label's line, after the label and before the field in the tab order. */
  aside?: ReactNode
  /** Stands inside the field's box, after the input in the tab order. */
  after?: ReactNode
}

/** A labelled input with its hint and its error, tied together for screen readers. */
export function Field({ id, label, hint, error, aside, after, ...input }: FieldProps) {
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return (
    <div data-tg="field" data-invalid={error ? true : undefined}>
      <div data-tg="label-row">
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      <div data-tg="input-box">
        <input
          {...input}
          id={id}
          data-tg="input"
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
        />
        {after}
      </div>
      {error ? (
        <p id={`${id}-error`} data-tg="field-error">
          {error}
        </p>
      ) : null}
      {hint ? (
        <div id={`${id}-hint`} data-tg="hint">
          {hint}
        </div>
      ) : null}
    </div>
  )
}

/** Attributes of an identity field, as password managers and phones want them. */
export const identityAttributes = {
  autoCapitalize: 'none',
  spellCheck: false,
  inputMode: 'email',
  type: 'email',
} as const

/**
 * A password with a button that shows it; without JavaScript the style sheet hides the button. Whatever value a form
 * hands over is dropped: a password is never written into a page.
 */
export function PasswordField({ defaultValue: _, ...props }: Omit<FieldProps, 'type' | 'after' | 'value'>) {
  const texts = useMessages('common')
  const [shown, setShown] = useState(false)
  return (
    <Field
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      after={
        <button
          type="button"
          data-tg="reveal"
          aria-label={texts.showPassword}
          aria-pressed={shown}
          aria-controls={props.id}
          onClick={() => setShown(!shown)}
        >
          {texts.show}
        </button>
      }
    />
  )
}

/** The name of the account, for password managers, in forms that only ask for a password. */
export function HiddenUsername({ email }: { email: string }) {
  return (
    <input
      data-tg="visually-hidden"
      type="email"
      name="username"
      id="username"
      autoComplete="username"
      defaultValue={email}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}

/** Rules that some password managers read when they make a password up; not an attribute that React's types know. */
export function passwordRulesAttribute({ min, max }: { min: number; max: number }) {
  return { passwordrules: `minlength: ${min}; maxlength: ${max};` }
}
