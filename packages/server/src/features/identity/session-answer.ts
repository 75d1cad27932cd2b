import { splitRoles } from '@tollgate/contract/calls'
import type { Session, SessionAnswer, SessionUser, User } from '@tollgate/contract/types'
import type { Id } from '../../foundation/db/database.ts'
import type { SessionRow } from '../../foundation/db/session-row.ts'
import { newId } from '../../foundation/ids.ts'
import type { StoredSession } from './session.repository.ts'
import { isBanned, type UserRow } from './user.repository.ts'

/** Sessions and users as answers show them; times are ISO 8601 with milliseconds. */

/** A user with a session is not banned: a ban ends all sessions, and sign-in lifts an expired one. */
export function toSessionAnswer({ session, user, active }: SessionRow): NonNullable<SessionAnswer> {
  return {
    session: toSession(session),
    user: toSessionUser(user, undefined),
    organization: toActiveOrganization(user, active),
  }
}

/** A user whose organization requires a verified address first has no active organization. */
function toActiveOrganization(user: UserRow, active: SessionRow['active']): NonNullable<SessionAnswer>['organization'] {
  if (!active || (active.requireVerifiedEmail && !user.emailVerified)) return null
  const { organizationId: id, slug, name, role } = active
  return { id, slug, name, roles: splitRoles(role) }
}

export function toSession(row: StoredSession): Session {
  return {
    id: row.id,
    userId: row.userId,
    token: row.token,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ipAddress: row.ipAddress,
    userAgent: row.userAgent,
    activeOrganizationId: row.activeOrganizationId,
    activeTeamId: row.activeTeamId,
    impersonatedBy: row.impersonatedBy,
  }
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    image: row.image,
    emailVerified: row.emailVerified,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The user as administrators see them. An expired ban is omitted. */
export const toKnownUser = (row: UserRow, now: Date): SessionUser =>
  toSessionUser(row, isBanned(row, now) ? row : undefined)

function toSessionUser(row: UserRow, ban: Pick<UserRow, 'banReason' | 'banExpires'> | undefined): SessionUser {
  return {
    ...toUser(row),
    role: row.role,
    banned: ban !== undefined,
    banReason: ban?.banReason ?? null,
    banExpires: ban?.banExpires?.toISOString() ?? null,
    username: row.username,
    displayUsername: row.displayUsername,
  }
}

/** An unstored session, for rules that check the caller and for measuring a session's size. */
export const unstoredSession = (userId: Id<'user'>, now: Date): StoredSession => ({
  id: newId(),
  userId,
  token: newId(),
  expiresAt: now,
  ipAddress: '',
  userAgent: null,
  activeOrganizationId: null,
  activeTeamId: null,
  impersonatedBy: null,
  impersonationReason: null,
  impersonatedFrom: null,
  neverExtended: false,
  methods: '',
  authenticatedAt: now,
  createdAt: now,
  updatedAt: now,
})
