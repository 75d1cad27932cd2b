import { authSchemas } from '@tollgate/contract/schemas'
import type { Answer } from '@tollgate/contract/types'
import type { Selectable } from 'kysely'
import type { Id } from '../../foundation/db/database.ts'
import type { Tables } from '../../foundation/db/tables.ts'
import { answerFrom } from '../../foundation/row-answer.ts'

/** Organizations and their parts in answers; times as ISO 8601 with milliseconds. */

export type OrganizationRow = Selectable<Tables['organization']>
export type MemberRow = Selectable<Tables['member']>
export type TeamRow = Selectable<Tables['team']>
export type InvitationRow = Selectable<Tables['invitation']>

/** A member with their user. */
export type MemberWithUserRow = MemberRow & {
  readonly userName: string
  readonly userEmail: string
  readonly userImage: string | null
}

type FullOrganization = NonNullable<Answer<'getFullOrganization'>>
type MemberWithUser = FullOrganization['members'][number]

/** `metadata` is left out if there is none (auth contract, section 6). */
export const toOrganization = answerFrom(authSchemas.updateOrganization.output)

/** `teamId` is the member's first team; left out while teams are off. */
export const toMember = (row: MemberRow, teamId?: Id<'team'> | null): Answer<'addMember'> => ({
  id: row.id,
  organizationId: row.organizationId,
  userId: row.userId,
  role: row.role,
  ...(teamId !== undefined && { teamId }),
  createdAt: row.createdAt.toISOString(),
})

export const toMemberWithUser = (row: MemberWithUserRow, teamId?: Id<'team'> | null): MemberWithUser => ({
  ...toMember(row, teamId),
  user: { id: row.userId, name: row.userName, email: row.userEmail, image: row.userImage },
})

export const toTeam = answerFrom(authSchemas.createTeam.output)

export const toInvitation = (row: InvitationRow): Answer<'inviteMember'> => ({
  id: row.id,
  organizationId: row.organizationId,
  email: row.email,
  role: row.role,
  status: row.status,
  teamId: row.teamId,
  inviterId: row.inviterId,
  expiresAt: row.expiresAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
})
