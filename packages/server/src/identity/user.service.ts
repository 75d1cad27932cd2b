import { deletionMessages } from '@tollgate/contract/calls'
import type { Answer, ParsedBody } from '@tollgate/contract/types'
import { refusingLastAdministrator } from '../access.ts'
import { after, seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { isUniqueViolation, type Tx } from '../db/database.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
import { newDeletionToken } from '../ids.ts'
import { enqueueMail } from '../mail/mail.jobs.ts'
import { type Departures, leaveAllOrganizations, previewUserDeletion, refuseNeeded } from '../organization/deletion.ts'
import { actorOf, emit } from '../outbox.ts'
import { usernameFields } from '../username/rules.ts'
import { lockAccounts } from './account.repository.ts'
import { tellUserDeleted } from './hooks.service.ts'
import { requireCredentialAccount } from './password.service.ts'
import { isMadeUp, normalizeEmail, normalizeImage, normalizeName } from './profile-rules.ts'
import { replaceProof } from './proof.service.ts'
import { takingUsername } from './reserved-usernames.service.ts'
import { deleteSessionsBegunBy, isStillSession } from './session.repository.ts'
import { isFresh } from './session.service.ts'
import { assertCacheFits, clearSessionCookies, renewSessionCookies } from './session-cookies.ts'
import { checkPassword } from './sign-in.service.ts'
import {
  deleteUserRow,
  findUserByEmail,
  lockUser,
  replaceEmail,
  type UserRow,
  updateUserRow,
} from './user.repository.ts'
import { consumeProof, deleteAllProofs, deleteMagicLink, deleteProofs } from './verification.repository.ts'
import { createVerificationLink, enqueueLinkMail } from './verification-link.ts'

/**
 * Changes name, picture and username; what a user may not change is ignored, but for the address, which has a call of its
 * own. An administrator who acts as a user may not take the name by which that user signs in.
 */
export async function updateUser(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  body: ParsedBody<'updateUser'>,
): Promise<{ status: true }> {
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

  const now = ctx.clock.now()
  const updated = await ctx
    .transaction(async (tx) => {
      const row = await takingUsername(ctx, tx, { username: changes.username, userId: user.id }, () =>
        updateUserRow(tx, user.id, { ...changes, updatedAt: now }),
      )
      if (row)
        await emit(tx, now, {
          type: 'user.updated',
          actorId: actorOf(current),
          userId: user.id,
          data: { fields: Object.keys(changes).join() },
        })
      return row
    })
    .catch((error) => {
      // Somebody has the name, or has just taken it: the unique index decides.
      if (isUniqueViolation(error, 'username')) throw new TollgateError('USERNAME_TAKEN', { cause: error })
      throw error
    })
  if (!updated) throw new TollgateError('UNAUTHORIZED')
  renewSessionCookies(ctx, caller, { session, user: updated })
  return { status: true }
}

type Changes = { name?: string; image?: string | null; username?: string; displayUsername?: string | null }

/** What is to be written of a profile, checked; members that were not given, and one's own username, are left out. */
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
  // One's own name is none to take.
  if (username !== undefined && username !== user.username) changes.username = username
  if (displayUsername !== undefined) changes.displayUsername = displayUsername
  return changes
}

/**
 * Changes the address: at once while the present one is unverified; else its owner approves by mail first. Either way the
 * new address has to be verified (specification, section 4).
 */
export async function changeEmail(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  body: ParsedBody<'changeEmail'>,
): Promise<{ status: true }> {
  if (!ctx.config.user.changeEmail.enabled) throw new TollgateError('CHANGE_EMAIL_DISABLED')
  const newEmail = normalizeEmail(body.newEmail)
  if (newEmail === null || isMadeUp(newEmail)) throw new TollgateError('VALIDATION_ERROR')
  const { session, user } = current
  if (newEmail === user.email) throw new TollgateError('EMAIL_IS_THE_SAME')
  if (!ctx.config.emailVerification.enabled) throw new TollgateError('VERIFICATION_EMAIL_DISABLED')
  assertCacheFits(ctx, { session, user: { ...user, email: newEmail } })
  // Whether an address is taken is told here (specification, section 5), so asking is limited, whatever address one has.
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

/** Only while nobody has proved the present address, and ended this session by it: its owner goes before. */
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
 * Deletes the signed-in user: at once with the password or a mailed token; without either by a mailed link, or, where
 * such mails are off, in a fresh session only.
 */
export async function deleteUser(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  body: ParsedBody<'deleteUser'>,
): Promise<Answer<'deleteUser'>> {
  const { enabled, sendVerification } = ctx.config.user.deleteUser
  if (!enabled) throw new TollgateError('DELETE_USER_DISABLED')
  const { session, user } = current

  if (body.token) return deleteUserByToken(ctx, caller, current, body.token)
  if (body.password !== undefined) {
    await requireCredentialAccount(ctx, user)
    await checkPassword(ctx, { account: user.id, userId: user.id, password: body.password }, 'INVALID_PASSWORD')
  } else if (sendVerification) {
    await mailDeletionLink(ctx, caller, user, body.callbackURL)
    return { success: true, message: deletionMessages.mailed }
  } else if (!isFresh(ctx, session)) throw new TollgateError('SESSION_EXPIRED')
  return removeUser(ctx, caller, user)
}

/** Follows the mailed link; it works for the signed-in user it was made for, once. */
export async function confirmDeletion(
  ctx: Context,
  caller: Caller,
  current: SessionRow | undefined,
  token: string,
): Promise<Answer<'deleteUserCallback'>> {
  if (!ctx.config.user.deleteUser.enabled) throw new TollgateError('DELETE_USER_DISABLED')
  if (!current) throw new TollgateError('DELETE_USER_NO_SESSION')
  return deleteUserByToken(ctx, caller, current, token)
}

const deleteUserByToken = (
  ctx: Context,
  caller: Caller,
  { user }: SessionRow,
  token: string,
): Promise<Answer<'deleteUser'>> => removeUser(ctx, caller, user, token)

async function mailDeletionLink(ctx: Context, caller: Caller, user: UserRow, callbackURL = '/'): Promise<void> {
  await refuseNeeded(ctx, user.id)
  const { ending } = await previewUserDeletion(ctx, user.id)
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

/** Deletes the user who asks for it, but for the last administrator, and clears the cookies of this session. */
async function removeUser(ctx: Context, caller: Caller, user: UserRow, token?: string): Promise<Answer<'deleteUser'>> {
  const now = ctx.clock.now()
  const deleted = await ctx.transaction(async (tx) => {
    await deleteMagicLink(tx, user.email)
    await lockAccounts(tx, user.id)
    return refusingLastAdministrator(ctx, tx, async () => {
      await lockUser(tx, user.id)
      if (token !== undefined && !(await consumeProof(tx, 'delete-user', token, user.id, now)))
        throw new TollgateError('DELETE_TOKEN_INVALID')
      return deleteWholeUser(ctx, tx, user.id, user.id)
    })
  })
  clearSessionCookies(ctx, caller)
  if (deleted) tellUserDeleted(ctx, deleted)
  return { success: true, message: deletionMessages.deleted }
}

/** A user who is gone, and what ended along with them. */
export type DeletedUser = UserRow & { readonly departures: Departures }

/**
 * Ends a user inside a transaction: first their memberships, which is refused with ONLY_OWNER where others would be left
 * without an owner; the accounts and sessions go with the user (foreign keys), the proofs and the sessions begun as others
 * after them; the events stay. Nothing comes back when somebody was first.
 */
export async function deleteWholeUser(
  ctx: Context,
  tx: Tx,
  userId: string,
  actorId: string,
): Promise<DeletedUser | undefined> {
  await lockAccounts(tx, userId)
  await lockUser(tx, userId)
  const departures = await leaveAllOrganizations(ctx, tx, userId, actorId)
  const deleted = await deleteUserRow(tx, userId)
  if (!deleted) return undefined
  await deleteAllProofs(tx, userId)
  await deleteSessionsBegunBy(tx, userId)
  await emit(tx, ctx.clock.now(), { type: 'user.deleted', actorId, userId })
  return { ...deleted, departures }
}
