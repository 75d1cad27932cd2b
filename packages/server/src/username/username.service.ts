import type { Answer, ParsedBody } from '@tollgate/contract/types'
import type { Context } from '../context.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { isUsernameFree } from '../identity/reserved-usernames.service.ts'
import { toUser } from '../identity/session-answer.ts'
import { signInByPassword } from '../identity/sign-in.service.ts'
import { findUserByUsername } from '../identity/users.service.ts'
import { assertUsername, storedUsername, type UsernameRules } from './rules.ts'

/**
 * Signs in by username and password. What cannot be a username is told so; an empty one, an unknown one, no password and a
 * wrong password are one answer and cost one hash (specification, section 8).
 */
export async function signInUsername(
  ctx: Context,
  caller: Caller,
  body: ParsedBody<'signInUsername'>,
): Promise<Answer<'signInUsername'>> {
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

/** Whether nobody has a username yet, in any spelling; usernames are public. */
export async function isUsernameAvailable(
  ctx: Context,
  body: ParsedBody<'isUsernameAvailable'>,
): Promise<Answer<'isUsernameAvailable'>> {
  await assertUsername(body.username, requireRules(ctx))
  return { available: await isUsernameFree(ctx, storedUsername(body.username)) }
}

/** Calls of a feature that is off are not served; the types do not know that. */
function requireRules(ctx: Context): UsernameRules {
  if (ctx.config.username === false) throw new TollgateError('NOT_FOUND')
  return ctx.config.username
}
