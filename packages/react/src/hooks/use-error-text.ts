import { errorTexts } from '../i18n/error-text.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'

/** Says a code in the page's language; an unknown one with the server's own words, or as our fault. */
export function useErrorText() {
  const { messages, passwordRules, usernameRules } = useTollgateContext()
  const texts = useMessages('errors')
  const t = useText()
  // Only where the delete form is drawn does the page carry its word.
  const word = messages.deleteAccount?.word ?? ''

  return (code: string, { message, retryAfter }: { message?: string; retryAfter?: number } = {}): string => {
    if (retryAfter && code === 'TOO_MANY_REQUESTS') return t(texts.tooManyRequests, { count: retryAfter })
    const row = Object.hasOwn(errorTexts, code) ? errorTexts[code] : undefined
    if (!row) return message ?? texts.unexpected
    const rules = code.startsWith('USERNAME') ? usernameRules : passwordRules
    return t(texts[row.text], { count: row.text === 'tooManyCharacters' ? rules.max : rules.min, word })
  }
}
