import type { Config } from '../../foundation/config/config.ts'
import { TollgateError } from '../../foundation/error.ts'
import { normalizeName } from './profile-rules.ts'

export type UsernameRules = Exclude<Config['username'], false>

/** The characters a username may have without a configured validator (specification, section 5). */
const plain = /^[A-Za-z0-9_.]+$/
/** Refused whatever a configured validator says: two users must not have names that look alike. */
const unseen = /\p{C}/u

/** The normalised form of a name as it is shown; plain characters stay as typed. */
const spelled = (typed: string): string => typed.normalize('NFKC')

/** The form in which a username is stored, found and unique (specification, section 5). */
export const storedUsername = (typed: string): string => spelled(typed).toLowerCase()

/**
 * Refuses an invalid username: too short, too long or with forbidden characters. Length counts characters. Throws
 * USERNAME_UNEXPECTED_ERROR when the configured validator fails.
 */
export async function assertUsername(typed: string, rules: UsernameRules): Promise<void> {
  const name = spelled(typed)
  const length = [...name].length
  if (length < rules.minUsernameLength) throw new TollgateError('USERNAME_TOO_SHORT')
  if (length > rules.maxUsernameLength) throw new TollgateError('USERNAME_TOO_LONG')
  const { usernameValidator } = rules
  const isAllowed = usernameValidator
    ? !unseen.test(name) && (await isValid(usernameValidator, name))
    : plain.test(typed)
  if (!isAllowed) throw new TollgateError('USERNAME_INVALID')
}

async function isValid(validator: NonNullable<UsernameRules['usernameValidator']>, name: string): Promise<boolean> {
  try {
    return await validator(name)
  } catch (cause) {
    throw new TollgateError('USERNAME_UNEXPECTED_ERROR', { cause })
  }
}

export type UsernameFields = { readonly username?: string; readonly displayUsername?: string | null }

/**
 * The username columns of a profile; empty where usernames are off. The display name follows the rules of a person's
 * name, and defaults to the username as typed.
 */
export async function usernameFields(
  rules: Config['username'],
  given: { readonly username?: string | undefined; readonly displayUsername?: string | null | undefined },
  current: { readonly username: string | null },
): Promise<UsernameFields> {
  const { username, displayUsername } = given
  if (rules === false || (username === undefined && displayUsername === undefined)) return {}
  if (username !== undefined) await assertUsername(username, rules)
  const shown = normalizeName(displayUsername ?? '')
  if (shown === null) throw new TollgateError('USERNAME_INVALID')
  return {
    ...(username !== undefined && { username: storedUsername(username) }),
    displayUsername: shown || (username === undefined ? current.username : spelled(username)),
  }
}
