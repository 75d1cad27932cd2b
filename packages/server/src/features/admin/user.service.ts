import type { Context } from '../../foundation/context.ts'
import { type Id, isUniqueViolation, type Tx } from '../../foundation/db/database.ts'
import { TollgateError } from '../../foundation/error.ts'
import { newId } from '../../foundation/ids.ts'
import { emit } from '../../foundation/outbox.ts'
import { isAdministrator, requireAdmin, toRoleText, transactionAsAdministrator } from '../identity/access.ts'
import type { AuthHandler } from '../identity/auth-handler.ts'
import { tellUserCreated, tellUserDeleted } from '../identity/hooks.service.ts'
import { hashNewPassword, notifyOwner } from '../identity/password.service.ts'
import { isMadeUp, normalizeEmail } from '../identity/profile-rules.ts'
import { toKnownUser } from '../identity/session-answer.ts'
import { deleteWholeUser, profileChanges } from '../identity/user.service.ts'
import {
  deleteImpersonatedSessions,
  deleteProofs,
  deleteSessionsBegunBy,
  deleteSessionsOf,
  findUser,
  findUserByEmail,
  insertUser,
  lockUser,
  putCredentialAccount,
  type UserRow,
  updateUserRow,
} from '../identity/users.service.ts'
import { forgetUnlessShown } from '../pictures/picture.service.ts'
import { accountsOf } from '../social/accounts.service.ts'

export const adminGetUser: AuthHandler<'adminGetUser'> = async ({ ctx, session, query: { id: userId } }) => {
  requireAdmin(ctx, session, 'user', 'get', 'ADMIN_GET_USER')
  return toKnownUser(await requireUser(ctx, userId), ctx.clock.now())
}

export const adminListUserAccounts: AuthHandler<'adminListUserAccounts'> = async ({ ctx, session, query }) => {
  const { userId } = query
  requireAdmin(ctx, session, 'user', 'get', 'ADMIN_GET_USER')
  const user = await requireUser(ctx, userId)
  return { accounts: await accountsOf(ctx, user.id) }
}

/**
 * Creates a user, with or without a password. The user verifies the address unless the administrator vouches for it.
 */
export const adminCreateUser: AuthHandler<'adminCreateUser'> = async ({ ctx, session, body }) => {
  requireAdmin(ctx, session, 'user', 'create', 'ADMIN_CREATE_USERS')
  const email = normalizeEmail(body.email)
  if (email === null || isMadeUp(email)) throw new TollgateError('INVALID_EMAIL')
  const role = body.role === undefined ? null : requireRoleText(ctx, body.role)
  const profile = await profileChanges(ctx, { ...body.data, name: body.name }, { username: null })
  if (await findUserByEmail(ctx.db, email)) throw new TollgateError('ADMIN_USER_ALREADY_EXISTS')
  const password = body.password === undefined ? undefined : await hashNewPassword(ctx, body.password)

  const now = ctx.clock.now()
  const user = await transactionAsAdministrator(ctx, session, 'ADMIN_CREATE_USERS', async (tx) => {
    const created = await insertUser(tx, {
      ...profile,
      name: profile.name ?? '', // always present: the body has one
      id: newId(),
      email,
      role,
      emailVerified: body.data?.emailVerified ?? false,
      banned: false,
      createdAt: now,
      updatedAt: now,
    })
    if (password !== undefined) await putCredentialAccount(tx, created.id, password, now)
    const concerned = { actorId: session.user.id, userId: created.id }
    await emit(tx, now, { type: 'user.created', ...concerned, data: { method: 'admin' } })
    if (created.emailVerified) await emit(tx, now, { type: 'user.email_verified', ...concerned })
    return created
  }).catch((cause) => {
    if (isUniqueViolation(cause, 'username')) throw new TollgateError('USERNAME_TAKEN', { cause })
    // A concurrent sign-up took the address.
    if (isUniqueViolation(cause)) throw new TollgateError('ADMIN_USER_ALREADY_EXISTS', { cause })
    throw cause
  })
  tellUserCreated(ctx, user)
  return { user: toKnownUser(user, now) }
}

/** Changes a user's profile, and whether their address counts as verified. */
export const adminUpdateUser: AuthHandler<'adminUpdateUser'> = async ({ ctx, session, body }) => {
  requireAdmin(ctx, session, 'user', 'update', 'ADMIN_UPDATE_USERS')
  const user = await requireUser(ctx, body.userId)
  const { emailVerified } = body.data
  const changes = {
    ...(await profileChanges(ctx, body.data, user)),
    ...(emailVerified !== undefined && { emailVerified }),
  }
  const now = ctx.clock.now()
  if (Object.keys(changes).length === 0) return toKnownUser(user, now)

  const updated = await transactionAsAdministrator(ctx, session, 'ADMIN_UPDATE_USERS', async (tx) => {
    const row = await updateUserRow(tx, user.id, { ...changes, updatedAt: now })
    if (!row) throw new TollgateError('ADMIN_USER_NOT_FOUND')
    if (changes.image !== undefined) await forgetUnlessShown(tx, { userId: row.id }, changes.image)
    const concerned = { actorId: session.user.id, userId: row.id }
    await emit(tx, now, { type: 'user.updated', ...concerned, data: { fields: Object.keys(changes).join() } })
    if (emailVerified && !user.emailVerified) await emit(tx, now, { type: 'user.email_verified', ...concerned })
    return row
  }).catch((cause) => {
    if (isUniqueViolation(cause, 'username')) throw new TollgateError('USERNAME_TAKEN', { cause })
    throw cause
  })
  return toKnownUser(updated, now)
}

/**
 * Replaces a user's roles; the last administrator stays one. A demoted administrator loses the impersonations they
 * began, and impersonations of a new administrator end.
 */
export const adminSetRole: AuthHandler<'adminSetRole'> = async ({ ctx, session, body }) => {
  requireAdmin(ctx, session, 'user', 'set-role', 'ADMIN_CHANGE_ROLE')
  const role = requireRoleText(ctx, body.role)
  const { userId } = body
  const now = ctx.clock.now()
  const user = await transactionAsAdministrator(ctx, session, 'ADMIN_CHANGE_ROLE', async (tx, administrators) => {
    const willAdminister = isAdministrator(ctx, { id: userId, role })
    if (!willAdminister && administrators.has(userId) && administrators.size === 1)
      throw new TollgateError('ADMIN_LAST_ADMIN')
    const updated = await updateUserRow(tx, userId, { role, updatedAt: now })
    if (!updated) throw new TollgateError('ADMIN_USER_NOT_FOUND')
    await (willAdminister ? deleteImpersonatedSessions(tx, userId) : deleteSessionsBegunBy(tx, userId))
    await emit(tx, now, { type: 'user.role_changed', actorId: session.user.id, userId, data: { role } })
    return updated
  })
  return { user: toKnownUser(user, now) }
}

/** Replaces a user's password, ends their sessions and reset links, and notifies them by mail. */
export const adminSetUserPassword: AuthHandler<'adminSetUserPassword'> = async ({ ctx, caller, session, body }) => {
  requireAdmin(ctx, session, 'user', 'set-password', 'ADMIN_SET_PASSWORD')
  const { id } = await requireUser(ctx, body.userId)
  const password = await hashNewPassword(ctx, body.newPassword)
  const now = ctx.clock.now()
  const set = async (tx: Tx) => {
    const user = await lockUser(tx, id)
    if (!user) throw new TollgateError('ADMIN_USER_NOT_FOUND')
    await putCredentialAccount(tx, id, password, now)
    await deleteProofs(tx, 'reset-password', id)
    await deleteSessionsOf(tx, id)
    await emit(tx, now, { type: 'user.password_set', actorId: session.user.id, userId: id })
    await notifyOwner(ctx, tx, user, caller.locale)
  }
  await transactionAsAdministrator(ctx, session, 'ADMIN_SET_PASSWORD', set, id)
  return { status: true }
}

/** What a deletion of a user ends. */
export const adminPreviewUserRemoval: AuthHandler<'adminPreviewUserRemoval'> = async ({ ctx, session, query }) => {
  requireAdmin(ctx, session, 'user', 'delete', 'ADMIN_REMOVE_USERS')
  const { id } = await requireUser(ctx, query.userId)
  return ctx.organizationsOfUsers.previewDeletion(ctx, id)
}

/**
 * Deletes a user with everything but the events. Users cannot delete themselves here, so at least one administrator
 * stays.
 */
export const adminRemoveUser: AuthHandler<'adminRemoveUser'> = async ({ ctx, session, body: { userId } }) => {
  requireAdmin(ctx, session, 'user', 'delete', 'ADMIN_REMOVE_USERS')
  if (userId === session.user.id) throw new TollgateError('ADMIN_CANNOT_REMOVE_YOURSELF')
  const remove = (tx: Tx) => deleteWholeUser(ctx, tx, userId, session.user.id)
  const deleted = await transactionAsAdministrator(ctx, session, 'ADMIN_REMOVE_USERS', remove, userId)
  if (!deleted) throw new TollgateError('ADMIN_USER_NOT_FOUND')
  tellUserDeleted(ctx, deleted)
  return { success: true }
}

async function requireUser(ctx: Context, userId: Id<'user'>): Promise<UserRow> {
  const user = await findUser(ctx.db, userId)
  if (!user) throw new TollgateError('ADMIN_USER_NOT_FOUND')
  return user
}

function requireRoleText(ctx: Context, given: string | readonly string[]): string {
  const role = toRoleText(ctx.config, given)
  if (role === null) throw new TollgateError('ADMIN_ROLE_UNKNOWN')
  return role
}
