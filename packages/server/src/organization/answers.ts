import type { Answer } from '@tollgate/contract/types'
import type { Selectable } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** How organizations and what belongs to them stand in answers; times as ISO 8601 with milliseconds. */

export type OrganizationRow = Selectable<Tables['organization']>
export type MemberRow = Selectable<Tables['member']>
export type TeamRow = Selectable<Tables['team']>
export type InvitationRow = Selectable<Tables['invitation']>

/** A member with who they are. */
export type MemberWithUserRow = MemberRow & {
  readonly userName: string
  readonly userEmail: string
  readonly userImage: string | null
}

type Organization = Answer<'updateOrganization'>
type FullOrganization = NonNullable<Answer<'getFullOrganization'>>
type MemberWithUser = FullOrganization['members'][number]

/** `metadata` is left out where there is none (auth contract, section 6). */
export function toOrganization(row: OrganizationRow): Organization {
  const { id, name, slug, logo, metadata, requireVerifiedEmail, createdAt } = row
  return {
    id,
    name,
    slug,
    logo,
    createdAt: createdAt.toISOString(),
    ...(metadata !== null && { metadata: metadata as Organization['metadata'] }), // written from a map
    requireVerifiedEmail,
  }
}

/** `teamId` is the member's first team; given only where there are teams. */
export const toMember = (row: MemberRow, teamId?: string | null): Answer<'addMember'> => ({
  id: row.id,
  organizationId: row.organizationId,
  userId: row.userId,
  role: row.role,
  ...(teamId !== undefined && { teamId }),
  createdAt: row.createdAt.toISOString(),
})

export const toMemberWithUser = (row: MemberWithUserRow, teamId?: string | null): MemberWithUser => ({
  ...toMember(row, teamId),
  user: { id: row.userId, name: row.userName, email: row.userEmail, image: row.userImage },
})

export const toTeam = (row: TeamRow): Answer<'createTeam'> => ({
  id: row.id,
  name: row.name,
  organizationId: row.organizationId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt?.toISOString() ?? null,
})

export const toInvitation = (row: InvitationRow): Answer<'inviteMember'> => ({
  id: row.id,
  organizationId: row.organizationId,
  email: row.email,
  role: row.role,
  status: row.status as Answer<'inviteMember'>['status'], // only services write it
  teamId: row.teamId,
  inviterId: row.inviterId,
  expiresAt: row.expiresAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
})
