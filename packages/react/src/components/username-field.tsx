import { usernameRefusal } from '@tollgate/contract/forms'
import { type ChangeEvent, useEffect, useState } from 'react'
import { Field } from '../elements/field.tsx'
import { useErrorText } from '../hooks/use-error-text.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'

/** Milliseconds without a key before the server is asked. */
const pause = 400

type Props = {
  id: string
  name: string
  defaultValue?: string | undefined
  error?: string | undefined
  /** The name that the person has already: there is nothing to be asked about it. */
  current?: string | null
  optional?: boolean
}

/**
 * A username field with its rule; while the user types, the name's availability replaces the rule. It does not repeat
 * an error of the form.
 */
export function UsernameField({ current, optional, ...field }: Props) {
  const { usernameRules } = useTollgateContext()
  const texts = useMessages('username')
  const t = useText()
  const [typed, setTyped] = useState('')
  const looked = useAvailability(typed === current ? '' : typed)
  const found = looked?.text === field.error ? undefined : looked
  const { min, max, custom } = usernameRules
  return (
    <Field
      {...field}
      label={optional ? texts.labelOptional : texts.label}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      minLength={min}
      maxLength={max}
      onChange={(event: ChangeEvent<HTMLInputElement>) => setTyped(event.target.value)}
      hint={
        // The line is as high with either of them, so that nothing below it moves.
        <span aria-live="polite" data-tg="availability" data-tone={found?.free ? 'ok' : found ? 'danger' : undefined}>
          {found?.text ?? t(custom ? texts.length : texts.rule, { min, max })}
        </span>
      }
    />
  )
}

/** A name's availability, once the user stops typing; undefined if the server did not answer. */
function useAvailability(typed: string): { free: boolean; text: string } | undefined {
  const { client, usernameRules } = useTollgateContext()
  const texts = useMessages('username')
  const errorText = useErrorText()
  const [found, setFound] = useState<{ typed: string; code?: string | undefined }>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is looked up depends on the name alone
  useEffect(() => {
    if (typed === '') return
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const code = usernameRefusal(typed, usernameRules)
      if (code) return setFound({ typed, code })
      const { data, error } = await client.isUsernameAvailable({ username: typed }, { signal: abort.signal })
      if (abort.signal.aborted) return
      if (data) setFound({ typed, code: data.available ? undefined : 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER' })
      else if (error.code?.startsWith('USERNAME')) setFound({ typed, code: error.code })
    }, pause)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [client, typed])

  if (typed === '' || found?.typed !== typed) return undefined
  return found.code ? { free: false, text: errorText(found.code) } : { free: true, text: texts.free }
}
