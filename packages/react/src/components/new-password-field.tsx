import { type ReactNode, useEffect, useState } from 'react'
import { PasswordField, passwordRulesAttribute } from '../elements/field.tsx'
import { useErrorText } from '../hooks/use-error-text.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { passwordStrength } from './password-strength.ts'

/** A new password field with its rule and a strength meter. */
export function NewPasswordField(props: {
  id: string
  name: string
  label: ReactNode
  error?: string | undefined
  defaultValue?: string | undefined
}) {
  const { passwordRules } = useTollgateContext()
  const texts = useMessages('password')
  const t = useText()
  const [typed, setTyped] = useState('')
  const strength = passwordStrength(typed)
  const errorText = useErrorText()
  // The refusal names the rule already.
  const isRefusedAsShort = props.error === errorText('PASSWORD_TOO_SHORT')

  // Clearing the sent form clears the meter too.
  useEffect(() => {
    const form = document.getElementById(props.id)?.closest('form')
    const clear = () => setTyped('')
    form?.addEventListener('reset', clear)
    return () => form?.removeEventListener('reset', clear)
  }, [props.id])

  return (
    <PasswordField
      {...props}
      {...passwordRulesAttribute(passwordRules)}
      autoComplete="new-password"
      required
      minLength={passwordRules.min}
      onChange={(event) => setTyped(event.target.value)}
      hint={
        <>
          <span data-tg="strength" data-level={typed ? strength : undefined} aria-hidden="true" />
          {[...typed].length >= passwordRules.min
            ? t(texts.strength, { level: texts[strength] })
            : isRefusedAsShort
              ? null
              : t(texts.rule, { count: passwordRules.min })}
        </>
      }
    />
  )
}
