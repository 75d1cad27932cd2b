import { domainToASCII } from 'node:url'

/**
 * Normalises an e-mail address, or returns null for an invalid one. It normalises before it checks, or a look-alike of
 * `@` could turn one address into another. No quoted local parts, lists or display names (security, §0).
 */
export function normalizeEmail(input: string): string | null {
  const email = input.trim().normalize('NFKC').toLowerCase()
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  if (at < 1 || !/^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local)) return null
  const host = email.slice(at + 1)
  // What the conversion would drop, decode or truncate: the stored address must equal the typed one.
  if (/[^a-z0-9.\-\u{80}-\u{10ffff}]|(?![\u200c\u200d])[\p{C}\p{Z}]/u.test(host)) return null
  const domain = domainToASCII(host)
  // RFC 5321, section 4.5.3.1: 64 characters of local part, 254 in all.
  if (local.length > 64 || local.length + 1 + domain.length > 254) return null
  const labels = domain.split('.')
  const isLabel = (label: string) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)
  if (labels.length < 2 || !labels.every(isLabel) || /^\d+$/.test(labels.at(-1) ?? '')) return null
  return `${local}@${domain}`
}

/**
 * Whether an address is a placeholder for users whose provider gives none (RFC 2606: no mail server has them). Refused
 * at sign-up, or its owner could not sign in later.
 */
export const isMadeUp = (email: string): boolean => email.endsWith('.invalid')

/** The longest name of a person, in characters. */
const nameLimit = 100

/** A person's name, trimmed; null if it holds control or direction characters, which could make it read as another. */
export function normalizeName(input: string): string | null {
  const name = input.normalize('NFC').trim()
  if ([...name].length > nameLimit || /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name))
    return null
  return name
}

/** A picture's address, or null: http(s) only, because pages embed it. */
export function normalizeImage(input: string): string | null {
  return /^https?:\/\//i.test(input) && URL.canParse(input) ? new URL(input).href : null
}

/** Length counts Unicode characters, not bytes (specification, section 5). */
export function passwordLengthError(
  password: string,
  limits: { minPasswordLength: number; maxPasswordLength: number },
): 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG' | undefined {
  const length = [...password.normalize('NFKC')].length
  if (length < limits.minPasswordLength) return 'PASSWORD_TOO_SHORT'
  return length > limits.maxPasswordLength ? 'PASSWORD_TOO_LONG' : undefined
}
