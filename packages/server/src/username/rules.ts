import type { Config } from '../config.ts'
import { TollgateError } from '../error.ts'
import { normalizeName } from '../identity/profile-rules.ts'

export type UsernameRules = Exclude<Config['username'], false>

/** What is allowed in a username where no validator is configured (specification, section 5). */
const plain = /^[A-Za-z0-9_.]+$/
/** Refused whatever a configured validator says: two names that look alike would be two people. */
const unseen = /\p{C}/u

/** One spelling of a name, as it is shown; names of the plain characters are as they were typed. */
const spelled = (typed: string): string => typed.normalize('NFKC')

/** The spelling by which a username is stored, found and unique (specification, section 5). */
export const storedUsername = (typed: string): string => spelled(typed).toLowerCase()

/**
 * Refuses what cannot be a username: too short, too long, of other characters. Length is counted in characters. Throws
 * USERNAME_UNEXPECTED_ERROR where the configured validator fails.
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
 * What a profile keeps of the usernames that it was given; nothing where usernames are off. The name that is shown follows
 * the rules of a person's name, and is the username as it was typed where it is missing.
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
