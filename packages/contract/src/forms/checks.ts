import type { At, Check } from './form.ts'

/**
 * The format of an address after the calls' normalization; the calls validate the rest (specification, section 5).
 * Texts above their length limit fail at once.
 */
export const isAddress = (text: string): boolean =>
  text.length <= 512 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim().normalize('NFKC'))

/** Refuses an empty field. */
export const filled =
  (code: string): Check =>
  (value) =>
    value.trim() === '' ? code : undefined

/** A positive whole number, or nothing. */
export const count: Check = (value) => (/^(|[1-9]\d{0,4})$/.test(value.trim()) ? undefined : 'INVALID_NUMBER')

/** A field that only the call checks. */
export const unchecked: Check = () => undefined

export const email: Check = (value) =>
  value.trim() === '' ? 'EMAIL_REQUIRED' : isAddress(value) ? undefined : 'INVALID_EMAIL'

export const name: Check = filled('NAME_REQUIRED')

/** A password that exists. Blanks count. */
export const password: Check = (value) => (value === '' ? 'PASSWORD_REQUIRED' : undefined)

/** The password of a field that appears only when the session is no longer fresh. */
export const renewingPassword: Check = (_, values) => (values.password === '' ? 'PASSWORD_REQUIRED' : undefined)

export const newPassword: Check = (value, _, { passwordRules }) => {
  if (value === '') return 'NEW_PASSWORD_REQUIRED'
  const length = [...value].length
  if (length < passwordRules.min) return 'PASSWORD_TOO_SHORT'
  return length > passwordRules.max ? 'PASSWORD_TOO_LONG' : undefined
}

/** A username may be left empty. */
export const username: Check = (typed, _, { usernameRules }) => usernameRefusal(typed.trim(), usernameRules)

/** The code of what is wrong with a username; nothing if it is empty. */
export function usernameRefusal(value: string, rules: At['usernameRules']): string | undefined {
  const length = [...value].length
  if (length === 0) return undefined
  if (length < rules.min) return 'USERNAME_IS_TOO_SHORT'
  if (length > rules.max) return 'USERNAME_IS_TOO_LONG'
  return rules.custom || /^[A-Za-z0-9_.]+$/.test(value) ? undefined : 'USERNAME_IS_INVALID'
}
