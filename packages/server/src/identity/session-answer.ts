import { splitRoles } from '@tollgate/contract/calls'
import type { Session, SessionAnswer, SessionUser, User } from '@tollgate/contract/types'
import type { SessionRow } from '../db/session-row.ts'
import type { StoredSession } from './session.repository.ts'
import { isBanned, type UserRow } from './user.repository.ts'

/** How sessions and users stand in answers; times as ISO 8601 with milliseconds. */

/** Whoever has a session is not banned: a ban ends them all, and one that has run out is lifted when they sign in. */
export function toSessionAnswer({ session, user, active }: SessionRow): NonNullable<SessionAnswer> {
  return {
    session: toSession(session),
    user: toSessionUser(user, undefined),
    organization: toActiveOrganization(user, active),
  }
}

/** Whom an organization asks to verify their address first acts in none. */
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

/** The user with everything that administrators see. A ban that has run out by now is none. */
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
