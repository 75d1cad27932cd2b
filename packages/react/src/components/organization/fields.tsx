import { type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId, useRef } from 'react'

type Labelled = {
  /** Also the prefix of the ids of hint and error. */
  id: string
  name: string
  label: ReactNode
  /** Shown at the end of the label's line. */
  aside?: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

const describedBy = ({ id, hint, error }: Labelled): string | undefined =>
  [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ') || undefined

function Around({ children, ...field }: Labelled & { children: ReactNode }) {
  const { id, label, aside, hint, error } = field
  return (
    <div data-tg="field" data-invalid={error ? true : undefined}>
      <div data-tg="label-row">
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children}
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

/** A native select of a few `[value, text]`. */
export function SelectField({
  label,
  aside,
  hint,
  error,
  options,
  ...select
}: Labelled & SelectHTMLAttributes<HTMLSelectElement> & { options: readonly (readonly [string, string])[] }) {
  const field = { id: select.id, name: select.name, label, aside, hint, error }
  return (
    <Around {...field}>
      <select {...select} data-tg="input" aria-invalid={error ? true : undefined} aria-describedby={describedBy(field)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Around>
  )
}

/** A multi-line text field. */
export function TextField({
  label,
  aside,
  hint,
  error,
  ...area
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const field = { id: area.id, name: area.name, label, aside, hint, error }
  return (
    <Around {...field}>
      <textarea
        {...area}
        data-tg="input"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(field)}
      />
    </Around>
  )
}

/** A group of checkboxes with one error below. */
export function Choices({
  id: given,
  legend,
  hint,
  error,
  children,
}: {
  /** The prefix of the ids of hint and error, for other elements that they describe. */
  id?: string
  legend: ReactNode
  hint?: ReactNode
  error?: string | undefined
  children: ReactNode
}) {
  const own = useId()
  const id = given ?? own
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return (
    <fieldset data-tg="choices" data-invalid={error ? true : undefined} aria-describedby={described || undefined}>
      <legend>{legend}</legend>
      {children}
      {error ? (
        <p id={`${id}-error`} data-tg="field-error">
          {error}
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} data-tg="hint">
          {hint}
        </p>
      ) : null}
    </fieldset>
  )
}

/**
 * A button that opens its form in place, also without JavaScript. Screen readers read the text after `label`, such as
 * a name. `children` gets the function that closes it.
 */
export function Disclosure({
  label,
  about,
  look = 'secondary',
  open,
  children,
}: {
  label: ReactNode
  about?: string
  look?: 'secondary' | 'quiet' | 'danger-outline'
  open?: boolean | undefined
  children: (close: () => void) => ReactNode
}) {
  const details = useRef<HTMLDetailsElement>(null)
  const close = () => {
    const element = details.current
    if (!element) return
    element.open = false
    element.querySelector('summary')?.focus()
  }
  return (
    <details data-tg="disclosure" ref={details} {...(open ? { open } : {})}>
      <summary data-tg="button" data-look={look}>
        <span>
          {label}
          {about ? <span data-tg="visually-hidden"> {about}</span> : null}
        </span>
      </summary>
      <div data-tg="disclosed">{children(close)}</div>
    </details>
  )
}
