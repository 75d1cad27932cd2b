import {
  createElement,
  type FocusEvent,
  type FormEvent,
  type ReactElement,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { CallError } from '../queries/answer.ts'
import { texts } from '../texts.ts'
import { FieldErrors, fieldOf, isFieldError } from './field-errors.ts'

/** What is wrong with a field: a text that knows the way to it. */
export type ErrorOf = (path: string) => ReactElement | undefined

type Messages = ReadonlyMap<string, string>

/**
 * The errors of a refused form. `errorOf` returns a field's error by name; for the billing API the name is the
 * member's path in the wire's spelling, such as `prices.0.price_amount`. Errors that no field has requested are in
 * `rest`, above the form. The first invalid field gets the focus, or else the alert.
 *
 * After a refusal a field is validated again when it loses focus (frontend.md, 1.2): `check` throws client-side
 * errors, and the server's errors of a changed field are dropped.
 */
export function useFormErrors(error: Error | null, check?: (form: FormData) => unknown) {
  const form = useRef<HTMLFormElement>(null)
  const alert = useRef<HTMLDivElement>(null)
  const asked = useRef(new Set<string>())
  const changed = useRef(new Set<string>())
  const isPressed = usePressed()
  const [rest, setRest] = useState<readonly string[]>([])
  const [later, setLater] = useState<{ of: Error; messages: Messages }>()
  const messages = useMemo(() => (later && later.of === error ? later.messages : messagesOf(error)), [later, error])

  const errorOf: ErrorOf = (path) => {
    asked.current.add(path)
    const message = messages.get(path)
    return message === undefined ? undefined : createElement('span', { 'data-path': path }, message)
  }
  useEffect(() => {
    const others = [...messages].filter(([path]) => !asked.current.has(path)).map(told)
    const beside = messages.size - others.length
    setRest(beside > 1 ? [texts.form.several(beside), ...others] : others)
  }, [messages])
  useEffect(() => {
    changed.current.clear()
    if (!error) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    ;(wrong ?? alert.current)?.focus()
  }, [error])

  const onChange = ({ target }: FormEvent<HTMLFormElement>) => {
    for (const path of pathsOf(target)) changed.current.add(path)
  }
  const onBlur = ({ target, currentTarget }: FocusEvent<HTMLFormElement>) => {
    if (!error) return
    const isChanged = pathsOf(target).some((path) => changed.current.has(path))
    if (!isChanged && !check) return
    const look = () => {
      const own = isFieldError(error)
      const left = [...messages].filter(([path]) => !changed.current.has(path) && !(own && check))
      setLater({ of: error, messages: new Map([...left, ...faultsOf(check, currentTarget)]) })
    }
    // A layout change during a press would move the target and lose the click.
    if (isPressed.current) document.addEventListener('pointerup', () => setTimeout(look), { once: true })
    else look()
  }
  return { alert, errorOf, rest, fields: { ref: form, onChange, onBlur } }
}

/** Whether a button of the pointer is held down. */
function usePressed() {
  const isPressed = useRef(false)
  useEffect(() => {
    const note = ({ type }: PointerEvent) => {
      isPressed.current = type === 'pointerdown'
    }
    const kinds = ['pointerdown', 'pointerup', 'pointercancel'] as const
    for (const kind of kinds) document.addEventListener(kind, note, { capture: true })
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, note, { capture: true })
    }
  }, [])
  return isPressed
}

/** The fields of a control, by its described errors. */
const pathsOf = (target: EventTarget): readonly string[] =>
  target instanceof Element
    ? (target.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .flatMap((id) => document.getElementById(id)?.querySelector<HTMLElement>('[data-path]')?.dataset.path ?? [])
    : []

function faultsOf(check: ((form: FormData) => unknown) | undefined, form: HTMLFormElement): Messages {
  try {
    check?.(new FormData(form))
    return new Map()
  } catch (fault) {
    if (isFieldError(fault)) return messagesOf(fault)
    throw fault
  }
}

/** The message with its member, because no field shows it. */
const told = ([path, message]: [string, string]) =>
  path === '' ? message : `${path.replaceAll('_', ' ').replaceAll('.', ' › ')}: ${message}`

/** Errors by field; '' for those without a field. */
function messagesOf(error: Error | null): Messages {
  if (!error) return new Map()
  if (error instanceof FieldErrors) return error.messages
  if (error instanceof CallError && error.issues.length > 0)
    return new Map(error.issues.map(({ loc, msg }) => [loc.slice(1).join('.'), msg]))
  return new Map([[fieldOf(error) ?? '', error.message]])
}
