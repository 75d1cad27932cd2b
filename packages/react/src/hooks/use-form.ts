import type { ClientError, Result } from '@tollgate/client'
import type { AuthCallName } from '@tollgate/contract/calls'
import { type FocusEvent, type FormEvent, useContext, useEffect, useRef, useState } from 'react'
import type { Done, FormName, FormState } from '../form-state.ts'
import { errorTexts } from '../i18n/error-text.ts'
import { useCountdown } from './use-countdown.ts'
import { FurtherErrors } from './use-error-text.ts'
import { useHydrated } from './use-hydrated.ts'

type Values = Readonly<Record<string, string>>

/** Checks one field before anything is sent; answers a code of `errorTexts`, or nothing when it is fine. */
export type Check = (value: string, values: Values) => string | undefined

/** What a submit leads to: a refusal, something to say, or nothing because the page is being left. */
export type Outcome = FormState | undefined

export type FormOptions = {
  name: FormName
  /** What further buttons of the form send in place of `name`, as the value of their own field `form`. */
  also?: readonly FormName[]
  /** The calls that the form may make, for its captcha. */
  calls?: readonly AuthCallName[]
  /** What the server rendered, if it did. */
  state: FormState | undefined
  /** Every field that the form has, in order. */
  fields: Readonly<Record<string, Check>>
  /** Sends the values; only called when every check passed. */
  submit: (values: Values, form: HTMLFormElement) => Promise<Outcome>
}

/** A field's part of the form, to be spread on Field, PasswordField or Checkbox. */
export type FieldBinding = { id: string; name: string; defaultValue: string | undefined; errorCode: string | undefined }

/**
 * One real form: it posts by itself without JavaScript, and the client sends it otherwise. It validates on submit, and
 * after the first submit also when a field loses focus. While the user types it refuses nothing: a refusal goes away as
 * soon as the value passes.
 */
export function useForm({ name, also = [], calls = [], state: initial, fields, submit }: FormOptions) {
  // With several forms on a page, a state is about the one that was sent.
  const own = initial?.form === undefined || [name, ...also].includes(initial.form) ? initial : undefined
  const [state, setState] = useState<FormState>(own ?? {})
  /** Which of its names the form was sent as, while it is. */
  const [sending, setSending] = useState<string>()
  const busy = sending !== undefined
  const [secondsLeft, waitFor] = useCountdown(own?.retryAfter ?? 0)
  const hydrated = useHydrated()
  const further = useContext(FurtherErrors)
  const form = useRef<HTMLFormElement>(null)
  const attempted = useRef(own?.fields !== undefined)
  // Counts answers, so that the focus moves once for each and not at any other change.
  const [answers, setAnswers] = useState(own?.code || own?.fields ? 1 : 0)

  useEffect(() => {
    if (answers > 0 && form.current) focusProblem(form.current)
  }, [answers])

  // Who comes back from where the form led, by the browser's own way, finds a form that can be sent again.
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => event.persisted && setSending(undefined)
    addEventListener('pageshow', wake)
    return () => removeEventListener('pageshow', wake)
  }, [])

  function show(next: FormState) {
    setState(next)
    waitFor(next.retryAfter ?? 0)
    setAnswers((count) => count + 1)
  }

  function check(values: Values): Record<string, string> {
    const found = Object.entries(fields).map(([field, rule]) => [field, rule(values[field] ?? '', values)] as const)
    return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined))
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy || secondsLeft > 0) return
    const target = event.currentTarget
    // The event that React hands on is always the browser's own, made by a press, Enter or `requestSubmit`.
    const values = valuesOf(target, (event.nativeEvent as SubmitEvent).submitter)
    attempted.current = true

    const refused = check(values)
    if (Object.keys(refused).length > 0) return show({ fields: refused })

    setSending(values.form ?? name)
    setState({})
    const outcome = await submit(values, target)
    // Without an outcome the page is being left: the form stays busy until it is gone.
    if (!outcome) return
    setSending(undefined)
    // What was sent is done with: fields that are empty again are not missing.
    if (outcome.done) attempted.current = false
    const { code = '', message: _, ...rest } = outcome
    const about = further[code]?.fields?.find((field) => field in fields)
    show(about ? { ...rest, fields: { [about]: code } } : outcome)
  }

  function onBlur(event: FocusEvent<HTMLFormElement>) {
    const field = event.target.name
    const rule = fields[field]
    if (!attempted.current || !rule || busy) return
    // A text that goes away under a press would move the button from under the pointer; its press checks everything.
    if (event.relatedTarget instanceof HTMLButtonElement) return
    const code = rule(event.target.value, valuesOf(event.currentTarget))
    if (code === state.fields?.[field]) return
    const { [field]: _, ...others } = state.fields ?? {}
    setState({ ...state, fields: code ? { ...others, [field]: code } : others })
  }

  /** A refusal beside a value that passes would contradict the field's own hint. */
  function onInput(event: FormEvent<HTMLFormElement>) {
    // Every event of the form comes from one of its fields.
    const { name: typedIn, value } = event.target as HTMLInputElement
    if (state.fields?.[typedIn] === undefined || fields[typedIn]?.(value, valuesOf(event.currentTarget))) return
    const { [typedIn]: _, ...others } = state.fields
    setState({ ...state, fields: others })
  }

  const field = (fieldName: string): FieldBinding => ({
    id: fieldName,
    name: fieldName,
    defaultValue: own?.values?.[fieldName],
    errorCode: state.fields?.[fieldName],
  })

  return {
    state,
    busy,
    sending,
    secondsLeft,
    field,
    /** Resets the form to its unsent state. */
    reset: () => setState({}),
    props: { ref: form, onSubmit, onBlur, onInput, method: 'post', noValidate: hydrated } as const,
    name,
    calls,
  }
}

export type Form = ReturnType<typeof useForm>

/** Turns a refused call into a state: at the field that it is about when the form has it, else above the form. */
export function refusal(error: ClientError, fields: readonly string[]): FormState {
  // Without a code and with our own 500, the call never reached a server.
  const code = error.code ?? codeOf(error)
  const retry = error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }
  const field = errorTexts[code]?.fields?.find((candidate) => fields.includes(candidate))
  if (field) return { fields: { [field]: code }, ...retry }
  return { code, ...(error.message === undefined ? {} : { message: error.message }), ...retry }
}

function codeOf({ status, statusText }: ClientError): string {
  if (status === 401) return 'UNAUTHORIZED'
  if (status === 429) return 'TOO_MANY_REQUESTS'
  if (status === 503) return 'SERVICE_UNAVAILABLE'
  return statusText === 'Fetch error' ? 'OFFLINE' : 'INTERNAL_SERVER_ERROR'
}

/** Sends, and makes the outcome of the answer: the refusal, or what `succeeded` makes of the data. */
export async function outcomeOf<Data>(
  call: Promise<Result<Data>>,
  fields: readonly string[],
  succeeded: (data: Data) => Outcome,
): Promise<Outcome> {
  const { data, error } = await call
  return error ? refusal(error, fields) : succeeded(data)
}

/** The fields with that of the button that was pressed; of several with one name the first counts, as on the server. */
function valuesOf(form: HTMLFormElement, button?: HTMLElement | null): Record<string, string> {
  const texts = [...new FormData(form, button)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(texts.reverse())
}

/** The first field that was refused, else the alert of the card or page that the form is in. */
function focusProblem(form: HTMLFormElement) {
  const invalid = form.querySelector<HTMLElement>('[aria-invalid=true]')
  const alert = form.closest('[data-tg-screen]')?.querySelector<HTMLElement>('[role=alert]')
  const problem = invalid ?? (alert?.firstChild ? alert : undefined)
  problem?.focus()
}

export function doneState(done: Done, values?: Readonly<Record<string, string>>): FormState {
  return values ? { done, values } : { done }
}
