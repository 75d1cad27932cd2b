import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { text, timestamp } from './fields.ts'
import { guarded, id, limit, offset, reading, team } from './organization.schemas.ts'
import type { teamCalls } from './team.calls.ts'

const teamMember = z.object({ id: z.string(), teamId: z.string(), userId: z.string(), createdAt: timestamp })
const found = ['NO_ACTIVE_ORGANIZATION', 'YOU_ARE_NOT_A_MEMBER'] as const

/** Bodies, queries, answers and refusals of the calls about teams. */
export const teamSchemas = {
  createTeam: {
    summary: 'Creates a team.',
    body: z.object({ name: text.min(1), organizationId: id.optional() }),
    output: team,
    errors: [
      ...guarded,
      'NO_ACTIVE_ORGANIZATION',
      'INVALID_NAME',
      'INVITE_NOT_ALLOWED',
      'TEAM_CREATE_NOT_ALLOWED',
      'TEAM_LIMIT_REACHED',
    ],
  },
  listTeams: {
    summary: 'Lists an organization’s teams.',
    query: z.object({ organizationId: id.optional(), limit, offset }),
    output: z.array(team),
    errors: [...reading, ...found],
  },
  updateTeam: {
    summary: 'Renames a team.',
    body: z.object({
      teamId: id,
      data: z.object({ name: text.min(1).optional(), organizationId: id.optional() }),
    }),
    output: team,
    errors: [...guarded, 'NO_ACTIVE_ORGANIZATION', 'INVALID_NAME', 'TEAM_NOT_FOUND', 'TEAM_UPDATE_NOT_ALLOWED'],
  },
  removeTeam: {
    summary: 'Deletes a team; not the last one unless that is allowed, and not the session’s active one.',
    body: z.object({ teamId: id, organizationId: id.optional() }),
    output: z.object({ message: z.literal('Team removed successfully.') }),
    errors: [
      ...guarded,
      'NO_ACTIVE_ORGANIZATION',
      'TEAM_NOT_FOUND',
      'TEAM_DELETE_NOT_ALLOWED',
      'TEAMS_DELETE_NOT_ALLOWED',
      'LAST_TEAM',
    ],
  },
  setActiveTeam: {
    summary: 'Sets the session’s active team, a team of the active organization or none.',
    body: z.object({ teamId: id.nullish() }),
    output: team.nullable(),
    errors: [...guarded, 'NO_ACTIVE_ORGANIZATION', 'TEAM_NOT_FOUND', 'NOT_IN_THE_TEAM'],
  },
  listUserTeams: {
    summary: 'Lists the caller’s teams, of all organizations or of one.',
    query: z.object({ userId: id.optional(), organizationId: id.optional(), limit, offset }),
    output: z.array(team),
    errors: [...reading, 'TEAM_MEMBERS_NOT_ALLOWED', 'YOU_ARE_NOT_A_MEMBER'],
  },
  listTeamMembers: {
    summary: 'Lists the members of a team: the active one, or the named one.',
    query: z.object({ teamId: id.optional(), limit, offset }),
    output: z.array(teamMember),
    errors: [...reading, 'NO_ACTIVE_TEAM', 'NOT_IN_THE_TEAM', 'TEAM_NOT_FOUND'],
  },
  addTeamMember: {
    summary: 'Adds a member of the organization to a team.',
    body: z.object({ teamId: id, userId: id, organizationId: id.optional() }),
    output: teamMember,
    errors: [
      ...guarded,
      ...found,
      'NOT_A_MEMBER',
      'TEAM_NOT_FOUND',
      'TEAM_MEMBER_CREATE_NOT_ALLOWED',
      'TEAM_MEMBER_LIMIT_REACHED',
    ],
  },
  removeTeamMember: {
    summary: 'Removes a member from a team; they stay in the organization.',
    body: z.object({ teamId: id, userId: id, organizationId: id.optional() }),
    output: z.object({ message: z.literal('Team member removed successfully.') }),
    errors: [...guarded, ...found, 'NOT_IN_THE_TEAM', 'TEAM_NOT_FOUND', 'TEAM_MEMBER_REMOVE_NOT_ALLOWED'],
  },
} as const satisfies Record<keyof typeof teamCalls, Endpoint>
