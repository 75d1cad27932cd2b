import { createContext, useContext } from 'react'
import { type ErrorMessages, type ErrorRow, errorTexts } from '../i18n/error-text.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'

/** The refusals that only some components meet: these put their table around themselves, and no other page carries it. */
export const FurtherErrors = createContext<Readonly<Record<string, ErrorRow>>>({})

/** Says a code in the page's language; an unknown one with the server's own words, or as our fault. */
export function useErrorText() {
  const { messages, passwordRules, usernameRules } = useTollgateContext()
  const errors = useMessages('errors')
  const further = useContext(FurtherErrors)
  const texts: Partial<ErrorMessages> = {
    ...errors,
    ...messages.accountErrors,
    ...messages.codeErrors,
    ...messages.captchaErrors,
    ...messages.organizationErrors,
    ...messages.pictureErrors,
  }
  const t = useText()
  // Only where the delete form is drawn does the page carry its word.
  const word = messages.deleteAccount?.word ?? ''

  return (code: string, { message, retryAfter }: { message?: string; retryAfter?: number } = {}): string => {
    if (retryAfter && code === 'TOO_MANY_REQUESTS') return t(errors.tooManyRequests, { count: retryAfter })
    const table = [further, errorTexts].find((one) => Object.hasOwn(one, code))
    const row = table?.[code]
    // Known, but not met on this page: what the server says in English is better than nothing.
    const text = row && texts[row.text]
    if (!row || !text) return message ?? errors.unexpected
    const rules = code.startsWith('USERNAME') ? usernameRules : passwordRules
    return t(text, { count: row.text === 'tooManyCharacters' ? rules.max : rules.min, word })
  }
}
