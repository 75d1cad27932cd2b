import {
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/overlay.tsx'
import { LiveRegions } from '../../elements/screen.tsx'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import { useTollgateContext } from '../../provider.tsx'
import { DialogCancel } from '../form-parts.tsx'
import { SectionAlert } from '../section-frame.tsx'

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

type AskProps = {
  label: ReactNode
  /** Screen readers read it after the label, such as a name. */
  about?: string
  look?: 'secondary' | 'quiet' | 'danger-outline'
  open?: boolean | undefined
  /** The argument closes it. It ends with a submit button, or with `FormActions`. */
  children: (close: () => void) => ReactNode
}

/** A button that opens its form in place, also without JavaScript. */
function Disclosure({ label, about, look = 'secondary', open, children }: AskProps) {
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

/**
 * A button that asks in a dialog, with a way out; without JavaScript it opens the question in place. `open` is for a form that
 * the server has refused, which stays where it was sent from. The title is the label, unless it is said.
 */
export function Ask({
  label,
  about,
  title = about ? (
    <>
      {label}: {about}
    </>
  ) : (
    label
  ),
  look = 'secondary',
  open,
  cancel,
  children,
}: AskProps & { title?: ReactNode; cancel?: ReactNode }) {
  const { organization } = useTollgateContext().messages
  const hydrated = useHydrated()
  const [asks, setAsks] = useState(false)
  // The page's own alert is out of reach behind the dialog. What it said before is not about this question.
  const alert = useContext(SectionAlert)
  const [isSent, setIsSent] = useState(false)
  if (!hydrated || open)
    return (
      <Disclosure label={label} {...(about && { about })} look={look} open={open}>
        {children}
      </Disclosure>
    )
  const close = () => setAsks(false)
  const ask = () => {
    setIsSent(false)
    setAsks(true)
  }
  return (
    <span data-tg="disclosure">
      <button type="button" data-tg="button" data-look={look} aria-haspopup="dialog" onClick={ask}>
        <span>
          {label}
          {about ? <span data-tg="visually-hidden"> {about}</span> : null}
        </span>
      </button>
      <Dialog open={asks} onClose={close} title={title}>
        {asks ? (
          <div data-tg="asked" data-tg-screen="" onSubmitCapture={() => setIsSent(true)}>
            <LiveRegions alert={isSent ? alert : undefined} />
            <DialogCancel
              value={
                <Button look="secondary" onClick={close}>
                  {cancel ?? organization?.cancel}
                </Button>
              }
            >
              {children(close)}
            </DialogCancel>
          </div>
        ) : null}
      </Dialog>
    </span>
  )
}

/** The actions of a row behind one small button. Escape and a press elsewhere close it. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event) => {
      const element = menu.current
      if (!element?.open || (event instanceof KeyboardEvent && event.key !== 'Escape')) return
      // A dialog that the menu has opened closes by itself.
      const { target } = event
      if (element.querySelector('dialog[open]')) return
      if (event.type === 'pointerdown' && target instanceof Node && element.contains(target)) return
      element.open = false
      if (event.type === 'keydown') element.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('keydown', close)
    }
  }, [])
  return (
    <details data-tg="row-menu" ref={menu}>
      <summary>
        <span data-tg="visually-hidden">{label}</span>
      </summary>
      <div data-tg="row-menu-items">{children}</div>
    </details>
  )
}
