import { deletionMessages } from '@tollgate/contract/calls'
import type { Answer, ParsedBody } from '@tollgate/contract/types'
import { after, seconds } from '../../foundation/clock.ts'
import type { Context } from '../../foundation/context.ts'
import { type Id, isUniqueViolation, type Tx } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { TollgateError } from '../../foundation/error.ts'
import type { Caller } from '../../foundation/http/handler.ts'
import { Redirect } from '../../foundation/http/handler.ts'
import { newDeletionToken } from '../../foundation/ids.ts'
import { enqueueMail } from '../../foundation/mail/mail.jobs.ts'
import { actorOf, emit } from '../../foundation/outbox.ts'
import { forgetUnlessShown, receivePicture, storePicture } from '../pictures/picture.service.ts'
import { refusingLastAdministrator, requireStillSession } from './access.ts'
import type { AuthHandler } from './auth-handler.ts'
import { tellUserDeleted } from './hooks.service.ts'
import { setOutcomeCookie } from './outcome-cookie.service.ts'
import { requireCredentialAccount } from './password.service.ts'
import { isMadeUp, normalizeEmail, normalizeImage, normalizeName } from './profile-rules.ts'
import { replaceProof } from './proof.service.ts'
import { takingUsername } from './reserved-usernames.service.ts'
import { deleteSessionsBegunBy, isStillSession } from './session.repository.ts'
import { findCurrentSession, isFresh } from './session.service.ts'
import { assertCacheFits, clearSessionCookies, renewSessionCookies } from './session-cookies.ts'
import { checkPassword } from './sign-in.service.ts'
import {
  deleteUserRow,
  findUserByEmail,
  isStillPassword,
  lockAccounts,
  lockUser,
  replaceEmail,
  type UserRow,
  updateUserRow,
} from './user.repository.ts'
import { usernameFields } from './username-rules.ts'
import { consumeProof, deleteAllProofs, deleteMagicLink, deleteProofs } from './verification.repository.ts'
import { createVerificationLink, enqueueLinkMail } from './verification-link.ts'

/**
 * Changes name, picture and username. Ignores fields that a user may not change, but refuses the address, which has
 * its own call. An impersonating administrator may not change the username that the user signs in with.
 */
export const updateUser: AuthHandler<'updateUser'> = async ({ ctx, caller, session: current, body }) => {
  if (body.email !== undefined) throw new TollgateError('EMAIL_CAN_NOT_BE_UPDATED')
  const { session, user } = current
  const changes = await profileChanges(ctx, body, user)
  if (changes.username !== undefined && session.impersonatedBy !== null)
    throw new TollgateError('NOT_ALLOWED_WHILE_IMPERSONATING')
  assertCacheFits(ctx, { session, user: { ...user, ...changes } })
  if (Object.keys(changes).length === 0) {
    renewSessionCookies(ctx, caller, current)
    return { status: true }
  }

  const updated = await ctx
    .transaction((tx) =>
      takingUsername(ctx, tx, { username: changes.username, userId: user.id }, () =>
        writeProfile(ctx, tx, current, changes),
      ),
    )
    .catch((error) => {
      // The unique index decides: another user has the name or has just taken it.
      if (isUniqueViolation(error, 'username')) throw new TollgateError('USERNAME_TAKEN', { cause: error })
      throw error
    })
  if (!updated) throw new TollgateError('UNAUTHORIZED')
  renewSessionCookies(ctx, caller, { session, user: updated })
  return { status: true }
}

/**
 * Stores an uploaded picture in place of the user's former one. The former address shows nothing from then on, and the
 * next one is new, so that no cache shows the old picture.
 */
export const uploadUserImage: AuthHandler<'uploadUserImage'> = async ({ ctx, caller, session: current, file }) => {
  const picture = await receivePicture(ctx, current.user.id, file)
  const { session, user } = current
  assertCacheFits(ctx, { session, user: { ...user, image: picture.url } })
  const updated = await ctx.transaction(async (tx) => {
    if (!(await lockUser(tx, user.id))) return undefined
    await requireStillSession(tx, current)
    await storePicture(ctx, tx, { userId: user.id }, picture)
    return writeProfile(ctx, tx, current, { image: picture.url })
  })
  if (!updated) throw new TollgateError('UNAUTHORIZED')
  renewSessionCookies(ctx, caller, { session, user: updated })
  return { image: picture.url }
}

/** Writes a checked profile and its event; undefined if the user is gone. */
async function writeProfile(ctx: Context, tx: Tx, current: SessionRow, changes: Changes): Promise<UserRow | undefined> {
  const now = ctx.clock.now()
  const { id } = current.user
  const row = await updateUserRow(tx, id, { ...changes, updatedAt: now })
  if (row && changes.image !== undefined) await forgetUnlessShown(tx, { userId: id }, changes.image)
  const data = { fields: Object.keys(changes).join() }
  if (row) await emit(tx, now, { type: 'user.updated', actorId: actorOf(current), userId: id, data })
  return row
}

type Changes = { name?: string; image?: string | null; username?: string; displayUsername?: string | null }

/** Checks a profile and returns the columns to write, without omitted members and the user's own username. */
export async function profileChanges(
  ctx: Context,
  body: Pick<ParsedBody<'updateUser'>, 'name' | 'image' | 'username' | 'displayUsername'>,
  user: Pick<UserRow, 'username'>,
): Promise<Changes> {
  const changes: Changes = {}
  if (body.name !== undefined) {
    const name = normalizeName(body.name)
    if (name === null) throw new TollgateError('INVALID_NAME')
    changes.name = name
  }
  if (body.image !== undefined) {
    changes.image = body.image ? normalizeImage(body.image) : null
    if (body.image && changes.image === null) throw new TollgateError('INVALID_IMAGE')
  }
  const { username, displayUsername } = await usernameFields(ctx.config.username, body, user)
  // The user's own name is not taken.
  if (username !== undefined && username !== user.username) changes.username = username
  if (displayUsername !== undefined) changes.displayUsername = displayUsername
  return changes
}

/**
 * Changes the address: at once if the current one is unverified, otherwise after its owner approves by mail. Either
 * way the new address must be verified (specification, section 4).
 */
export const changeEmail: AuthHandler<'changeEmail'> = async ({ ctx, caller, session: current, body }) => {
  if (!ctx.config.user.changeEmail.enabled) throw new TollgateError('CHANGE_EMAIL_DISABLED')
  const newEmail = normalizeEmail(body.newEmail)
  if (newEmail === null || isMadeUp(newEmail)) throw new TollgateError('VALIDATION_ERROR')
  const { session, user } = current
  if (newEmail === user.email) throw new TollgateError('EMAIL_IS_THE_SAME')
  if (!ctx.config.emailVerification.enabled) throw new TollgateError('VERIFICATION_EMAIL_DISABLED')
  assertCacheFits(ctx, { session, user: { ...user, email: newEmail } })
  // This call reveals whether an address is taken (specification, section 5), so it is limited for every caller.
  if (!(await ctx.limits.mail('change-email', user.id)))
    throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: 600 })
  if (await findUserByEmail(ctx.db, newEmail)) throw new TollgateError('COULDNT_UPDATE_YOUR_EMAIL')

  if (user.emailVerified) {
    const link = await createVerificationLink(ctx, { email: user.email, updateTo: newEmail }, body.callbackURL)
    await ctx.transaction((tx) =>
      enqueueLinkMail(ctx, tx, user, link, { template: 'change-email', locale: caller.locale, newEmail }),
    )
    return { status: true }
  }
  if (!(await ctx.limits.mail('new-address', newEmail)))
    throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: 600 })
  const changed = await changeUnverifiedEmail(ctx, caller, current, newEmail, body.callbackURL)
  renewSessionCookies(ctx, caller, { session, user: changed })
  return { status: true }
}

/** Only while the current address is unverified: its owner, by verifying it, ends this session first. */
async function changeUnverifiedEmail(
  ctx: Context,
  caller: Caller,
  { session, user }: SessionRow,
  newEmail: string,
  callbackURL: string | undefined,
): Promise<UserRow> {
  const now = ctx.clock.now()
  const link = await createVerificationLink(ctx, { email: newEmail }, callbackURL)
  try {
    return await ctx.transaction(async (tx) => {
      const present = await lockUser(tx, user.id)
      if (!(await isStillSession(tx, session.id))) throw new TollgateError('UNAUTHORIZED')
      if (present?.emailVerified) throw new TollgateError('COULDNT_UPDATE_YOUR_EMAIL')
      const changed = await replaceEmail(tx, user.id, user.email, newEmail, now)
      if (!changed) throw new TollgateError('COULDNT_UPDATE_YOUR_EMAIL')
      await deleteProofs(tx, 'reset-password', user.id)
      await emit(tx, now, { type: 'user.email_changed', actorId: user.id, userId: user.id })
      await enqueueLinkMail(ctx, tx, changed, link, { template: 'verify-email', locale: caller.locale })
      return changed
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new TollgateError('COULDNT_UPDATE_YOUR_EMAIL', { cause: error })
    throw error
  }
}

/**
 * Deletes the signed-in user: at once with a mailed token or the password. `user.deleteUser.sendVerification` says
 * when a mailed link must confirm instead. Without a password and without mails, the session must be fresh.
 */
export const deleteUser: AuthHandler<'deleteUser'> = async ({ ctx, caller, session: current, body }) => {
  const { enabled, sendVerification } = ctx.config.user.deleteUser
  if (!enabled) throw new TollgateError('DELETE_USER_DISABLED')
  const { session, user } = current

  const { callbackURL } = body
  if (body.token) return removeUser(ctx, caller, current, { token: body.token, callbackURL })
  const mailsAlways = sendVerification === 'always' || sendVerification === true
  if (body.password !== undefined) {
    await requireCredentialAccount(ctx, user)
    const given = { account: user.id, userId: user.id, password: body.password }
    const { stored } = await checkPassword(ctx, given, 'INVALID_PASSWORD')
    if (!mailsAlways) return removeUser(ctx, caller, current, { password: stored, callbackURL })
  }
  if (sendVerification) {
    await mailDeletionLink(ctx, caller, user, body.callbackURL)
    return { success: true, message: deletionMessages.mailed }
  }
  if (!isFresh(ctx, session)) throw new TollgateError('SESSION_EXPIRED')
  return removeUser(ctx, caller, current, { callbackURL })
}

/** Follows the mailed link, which works once and only for the signed-in user it was made for. */
export const deleteUserCallback: AuthHandler<'deleteUserCallback', Redirect> = async ({ ctx, caller, query }) => {
  const current = await findCurrentSession(ctx, caller)
  if (!ctx.config.user.deleteUser.enabled) throw new TollgateError('DELETE_USER_DISABLED')
  if (!current) throw new TollgateError('DELETE_USER_NO_SESSION')
  const answer = await removeUser(ctx, caller, current, query)
  return query.callbackURL ? new Redirect(query.callbackURL) : answer
}

async function mailDeletionLink(ctx: Context, caller: Caller, user: UserRow, callbackURL = '/'): Promise<void> {
  const { organizationsOfUsers } = ctx
  await organizationsOfUsers.refuseNeeded(ctx, user.id)
  const { ending } = await organizationsOfUsers.previewDeletion(ctx, user.id)
  if (!(await ctx.limits.mail('delete-account', user.email)))
    throw new TollgateError('TOO_MANY_REQUESTS', { retryAfter: 600 })
  const { baseURL, basePath } = ctx.config
  const { deleteTokenExpiresIn } = ctx.config.user.deleteUser
  const now = ctx.clock.now()
  const secret = newDeletionToken()
  const url = `${baseURL.origin}${basePath}/delete-user/callback?token=${secret}&callbackURL=${encodeURIComponent(callbackURL)}`
  await ctx.transaction(async (tx) => {
    await replaceProof(tx, {
      purpose: 'delete-user',
      secret,
      userId: user.id,
      expiresAt: after(now, seconds(deleteTokenExpiresIn)),
      now,
    })
    await enqueueMail(ctx, tx, {
      to: user.email,
      locale: caller.locale,
      template: 'delete-account',
      data: {
        name: user.name,
        url,
        expiresInMinutes: Math.floor(deleteTokenExpiresIn / 60),
        endingOrganizations: ending.map(({ name }) => name),
      },
    })
  })
}

/**
 * Deletes the requesting user, except the last administrator, clears this session's cookies, and tells the page behind
 * `callbackURL`. `password` is the stored one that was checked.
 */
async function removeUser(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  { password, token, callbackURL }: DeletionProof,
): Promise<Answer<'deleteUser'>> {
  const { user } = current
  const now = ctx.clock.now()
  const deleted = await ctx.transaction(async (tx) => {
    await deleteMagicLink(tx, user.email)
    await lockAccounts(tx, user.id)
    return refusingLastAdministrator(ctx, tx, async () => {
      const present = await lockUser(tx, user.id)
      if (token !== undefined && !(await consumeProof(tx, 'delete-user', token, user.id, now)))
        throw new TollgateError('DELETE_TOKEN_INVALID')
      // The proof may have ended during the password check.
      if (present && token === undefined) await requireStillSession(tx, current)
      if (present && password !== undefined && !(await isStillPassword(tx, user.id, password)))
        throw new TollgateError('INVALID_PASSWORD')
      return deleteWholeUser(ctx, tx, user.id, user.id)
    })
  })
  clearSessionCookies(ctx, caller)
  if (deleted) tellUserDeleted(ctx, deleted)
  setOutcomeCookie(ctx, caller, callbackURL, { done: 'account-deleted', email: '' })
  return { success: true, message: deletionMessages.deleted }
}

type DeletionProof = {
  readonly password?: string
  readonly token?: string
  readonly callbackURL?: string | undefined
}

/** A deleted user, and the function that reports their organizations to the application's hooks. */
export type DeletedUser = UserRow & { readonly tellDepartures: () => void }

/**
 * Ends a user inside a transaction. Memberships end first; throws ONLY_OWNER if others would be left without an owner.
 * Foreign keys delete accounts and sessions; proofs and impersonated sessions follow; events stay. Returns undefined
 * when another request deleted the user first.
 */
export async function deleteWholeUser(
  ctx: Context,
  tx: Tx,
  userId: Id<'user'>,
  actorId: Id<'user'>,
): Promise<DeletedUser | undefined> {
  await lockAccounts(tx, userId)
  await lockUser(tx, userId)
  const tellDepartures = await ctx.organizationsOfUsers.leaveAll(ctx, tx, userId, actorId)
  const deleted = await deleteUserRow(tx, userId)
  if (!deleted) return undefined
  await deleteAllProofs(tx, userId)
  await deleteSessionsBegunBy(tx, userId)
  await emit(tx, ctx.clock.now(), { type: 'user.deleted', actorId, userId })
  return { ...deleted, tellDepartures }
}
