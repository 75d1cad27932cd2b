import { useEffect, useRef, useState } from 'react'
import { CallError } from '../queries/answer.ts'
import { texts } from '../texts.ts'
import { FieldErrors, fieldOf } from './field-errors.ts'

export type ErrorOf = (path: string) => string | undefined

/**
 * What is wrong with a form after it was refused. `errorOf` answers for a field by its name: of the billing API that is the
 * way to the member in the wire's spelling, such as `prices.0.price_amount`. What no field has asked about stands in `rest`,
 * above the form; the first wrong field gets the focus, or what stands above.
 */
export function useFormErrors(error: Error | null) {
  const form = useRef<HTMLFormElement>(null)
  const alert = useRef<HTMLDivElement>(null)
  const asked = useRef(new Set<string>())
  const [rest, setRest] = useState<readonly string[]>([])
  const messages = messagesOf(error)

  const errorOf: ErrorOf = (path) => {
    asked.current.add(path)
    return messages.get(path)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the messages are those of the error
  useEffect(() => {
    const others = [...messages].filter(([path]) => !asked.current.has(path)).map(told)
    const beside = messages.size - others.length
    setRest(beside > 1 ? [texts.form.several(beside), ...others] : others)
    if (!error) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    ;(wrong ?? alert.current)?.focus()
  }, [error])
  return { form, alert, errorOf, rest }
}

/** In words, with the member that it is about, since nothing beside it says so. */
const told = ([path, message]: [string, string]) =>
  path === '' ? message : `${path.replaceAll('_', ' ').replaceAll('.', ' › ')}: ${message}`

/** What is wrong, by the field that it is about; '' for what is about none. */
function messagesOf(error: Error | null): ReadonlyMap<string, string> {
  if (!error) return new Map()
  if (error instanceof FieldErrors) return error.messages
  if (error instanceof CallError && error.issues.length > 0)
    return new Map(error.issues.map(({ loc, msg }) => [loc.slice(1).join('.'), msg]))
  return new Map([[fieldOf(error) ?? '', error.message]])
}
