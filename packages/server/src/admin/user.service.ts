import type { Answer, ParsedBody } from '@tollgate/contract/types'
import { isAdministrator, lockAdministrators, requireAdmin, toRoleText } from '../access.ts'
import type { Context } from '../context.ts'
import { isUniqueViolation } from '../db/database.ts'
import type { SessionRow } from '../db/session-row.ts'
import { TollgateError } from '../error.ts'
import type { Caller } from '../http/route.ts'
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
  lockAccounts,
  lockUser,
  putCredentialAccount,
  type UserRow,
  updateUserRow,
} from '../identity/users.service.ts'
import { newId } from '../ids.ts'
import { emit } from '../outbox.ts'
import { listAccounts } from '../social/accounts.service.ts'

export async function adminGetUser(ctx: Context, current: SessionRow, userId: string): Promise<Answer<'adminGetUser'>> {
  requireAdmin(ctx, current, 'user', 'get', 'ADMIN_GET_USER')
  return toKnownUser(await requireUser(ctx, userId), ctx.clock.now())
}

export async function adminListUserAccounts(
  ctx: Context,
  current: SessionRow,
  userId: string,
): Promise<Answer<'adminListUserAccounts'>> {
  requireAdmin(ctx, current, 'user', 'get', 'ADMIN_GET_USER')
  const user = await requireUser(ctx, userId)
  return { accounts: await listAccounts(ctx, user.id) }
}

/** Creates a user, who has to prove the address unless the administrator vouches for it, and may have no password. */
export async function adminCreateUser(
  ctx: Context,
  current: SessionRow,
  body: ParsedBody<'adminCreateUser'>,
): Promise<Answer<'adminCreateUser'>> {
  requireAdmin(ctx, current, 'user', 'create', 'ADMIN_CREATE_USERS')
  const email = normalizeEmail(body.email)
  if (email === null || isMadeUp(email)) throw new TollgateError('INVALID_EMAIL')
  const role = body.role === undefined ? null : requireRoleText(ctx, body.role)
  const profile = await profileChanges(ctx, { ...body.data, name: body.name }, { username: null })
  if (await findUserByEmail(ctx.db, email)) throw new TollgateError('ADMIN_USER_ALREADY_EXISTS')
  const password = body.password === undefined ? undefined : await hashNewPassword(ctx, body.password)

  const now = ctx.clock.now()
  const user = await ctx
    .transaction(async (tx) => {
      const created = await insertUser(tx, {
        ...profile,
        name: profile.name ?? '', // always there: the body has one
        id: newId(),
        email,
        role,
        emailVerified: body.data?.emailVerified ?? false,
        banned: false,
        createdAt: now,
        updatedAt: now,
      })
      if (password !== undefined) await putCredentialAccount(tx, created.id, password, now)
      const concerned = { actorId: current.user.id, userId: created.id }
      await emit(tx, now, { type: 'user.created', ...concerned, data: { method: 'admin' } })
      if (created.emailVerified) await emit(tx, now, { type: 'user.email_verified', ...concerned })
      return created
    })
    .catch((cause) => {
      if (isUniqueViolation(cause, 'username')) throw new TollgateError('USERNAME_TAKEN', { cause })
      // Somebody has just taken the address.
      if (isUniqueViolation(cause)) throw new TollgateError('ADMIN_USER_ALREADY_EXISTS', { cause })
      throw cause
    })
  tellUserCreated(ctx, user)
  return { user: toKnownUser(user, now) }
}

/** Changes what a user says about themselves, and whether their address counts as verified. */
export async function adminUpdateUser(
  ctx: Context,
  current: SessionRow,
  body: ParsedBody<'adminUpdateUser'>,
): Promise<Answer<'adminUpdateUser'>> {
  requireAdmin(ctx, current, 'user', 'update', 'ADMIN_UPDATE_USERS')
  const user = await requireUser(ctx, body.userId)
  const { emailVerified } = body.data
  const changes = {
    ...(await profileChanges(ctx, body.data, user)),
    ...(emailVerified !== undefined && { emailVerified }),
  }
  const now = ctx.clock.now()
  if (Object.keys(changes).length === 0) return toKnownUser(user, now)

  const updated = await ctx
    .transaction(async (tx) => {
      const row = await updateUserRow(tx, user.id, { ...changes, updatedAt: now })
      if (!row) throw new TollgateError('ADMIN_USER_NOT_FOUND')
      const concerned = { actorId: current.user.id, userId: row.id }
      await emit(tx, now, { type: 'user.updated', ...concerned, data: { fields: Object.keys(changes).join() } })
      if (emailVerified && !user.emailVerified) await emit(tx, now, { type: 'user.email_verified', ...concerned })
      return row
    })
    .catch((cause) => {
      if (isUniqueViolation(cause, 'username')) throw new TollgateError('USERNAME_TAKEN', { cause })
      throw cause
    })
  return toKnownUser(updated, now)
}

/**
 * Gives a user roles in place of those they have. The last administrator stays one. Who administers no longer acts as
 * nobody else any more; as whom who does now, nobody else.
 */
export async function adminSetRole(
  ctx: Context,
  current: SessionRow,
  body: ParsedBody<'adminSetRole'>,
): Promise<Answer<'adminSetRole'>> {
  requireAdmin(ctx, current, 'user', 'set-role', 'ADMIN_CHANGE_ROLE')
  const role = requireRoleText(ctx, body.role)
  const { userId } = body
  const now = ctx.clock.now()
  const user = await ctx.transaction(async (tx) => {
    const administrators = await lockAdministrators(ctx, tx, current, 'ADMIN_CHANGE_ROLE')
    const willAdminister = isAdministrator(ctx, { id: userId, role })
    if (!willAdminister && administrators.has(userId) && administrators.size === 1)
      throw new TollgateError('ADMIN_LAST_ADMIN')
    const updated = await updateUserRow(tx, userId, { role, updatedAt: now })
    if (!updated) throw new TollgateError('ADMIN_USER_NOT_FOUND')
    await (willAdminister ? deleteImpersonatedSessions(tx, userId) : deleteSessionsBegunBy(tx, userId))
    await emit(tx, now, { type: 'user.role_changed', actorId: current.user.id, userId, data: { role } })
    return updated
  })
  return { user: toKnownUser(user, now) }
}

/** Sets a user's password, whatever it was; their sessions and reset links end, and they are told by mail. */
export async function adminSetUserPassword(
  ctx: Context,
  caller: Caller,
  current: SessionRow,
  body: ParsedBody<'adminSetUserPassword'>,
): Promise<{ status: true }> {
  requireAdmin(ctx, current, 'user', 'set-password', 'ADMIN_SET_PASSWORD')
  const { id } = await requireUser(ctx, body.userId)
  const password = await hashNewPassword(ctx, body.newPassword)
  const now = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    await lockAccounts(tx, id)
    const user = await lockUser(tx, id)
    if (!user) throw new TollgateError('ADMIN_USER_NOT_FOUND')
    await putCredentialAccount(tx, id, password, now)
    await deleteProofs(tx, 'reset-password', id)
    await deleteSessionsOf(tx, id)
    await emit(tx, now, { type: 'user.password_set', actorId: current.user.id, userId: id })
    await notifyOwner(ctx, tx, user, caller.locale)
  })
  return { status: true }
}

/** Deletes a user with everything but the events; not oneself, so that there is always somebody who administers. */
export async function adminRemoveUser(ctx: Context, current: SessionRow, userId: string): Promise<{ success: true }> {
  requireAdmin(ctx, current, 'user', 'delete', 'ADMIN_REMOVE_USERS')
  if (userId === current.user.id) throw new TollgateError('ADMIN_CANNOT_REMOVE_YOURSELF')
  const deleted = await ctx.transaction(async (tx) => {
    await lockAccounts(tx, userId)
    await lockAdministrators(ctx, tx, current, 'ADMIN_REMOVE_USERS')
    return deleteWholeUser(ctx, tx, userId, current.user.id)
  })
  if (!deleted) throw new TollgateError('ADMIN_USER_NOT_FOUND')
  tellUserDeleted(ctx, deleted)
  return { success: true }
}

async function requireUser(ctx: Context, userId: string): Promise<UserRow> {
  const user = await findUser(ctx.db, userId)
  if (!user) throw new TollgateError('ADMIN_USER_NOT_FOUND')
  return user
}

function requireRoleText(ctx: Context, given: string | readonly string[]): string {
  const role = toRoleText(ctx.config, given)
  if (role === null) throw new TollgateError('ADMIN_ROLE_UNKNOWN')
  return role
}
