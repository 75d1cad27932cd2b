import type { Context } from '../../foundation/context.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { isUsernameFree } from '../identity/reserved-usernames.service.ts'
import { toUser } from '../identity/session-answer.ts'
import { signInByPassword } from '../identity/sign-in.service.ts'
import { assertUsername, storedUsername, type UsernameRules } from '../identity/username-rules.ts'
import { findUserByUsername } from '../identity/users.service.ts'

/**
 * Signs in by username and password. An impossible username gets its own refusal. An empty or unknown one, a missing
 * password and a wrong password get one answer and cost one hash (specification, section 8).
 */
export const signInUsername: AuthHandler<'signInUsername'> = async ({ ctx, caller, body }) => {
  if (!ctx.config.emailAndPassword.enabled) throw new TollgateError('EMAIL_AND_PASSWORD_DISABLED')
  if (body.username !== '') await assertUsername(body.username, requireRules(ctx))

  const username = storedUsername(body.username)
  const { session, user } = await signInByPassword(ctx, caller, body, {
    find: () => findUserByUsername(ctx.db, username),
    named: `username ${username}`,
    wrong: 'INVALID_USERNAME_OR_PASSWORD',
    unverified: 'USERNAME_EMAIL_NOT_VERIFIED',
  })
  return { token: session.token, user: { ...toUser(user), username: user.username } }
}

/** Whether a username is free in every spelling; usernames are public. */
export const isUsernameAvailable: AuthHandler<'isUsernameAvailable'> = async ({ ctx, body }) => {
  await assertUsername(body.username, requireRules(ctx))
  return { available: await isUsernameFree(ctx, storedUsername(body.username)) }
}

/** Calls of a disabled feature are not served, which the types cannot express. */
function requireRules(ctx: Context): UsernameRules {
  if (ctx.config.username === false) throw new TollgateError('NOT_FOUND')
  return ctx.config.username
}
