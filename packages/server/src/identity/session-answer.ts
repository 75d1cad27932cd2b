import type { Session, SessionAnswer, SessionUser, User } from '@tollgate/contract/types'
import type { SessionRow } from '../db/session-row.ts'
import type { StoredSession } from './session.repository.ts'
import type { UserRow } from './user.repository.ts'

/** How sessions and users stand in answers; times as ISO 8601 with milliseconds. */

export function toSessionAnswer({ session, user }: SessionRow): NonNullable<SessionAnswer> {
  return { session: toSession(session), user: toSessionUser(user), organization: null }
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

function toSessionUser(row: UserRow): SessionUser {
  return {
    ...toUser(row),
    role: row.role,
    banned: row.banned,
    banReason: row.banReason,
    banExpires: row.banExpires?.toISOString() ?? null,
    username: row.username,
    displayUsername: row.displayUsername,
  }
}
