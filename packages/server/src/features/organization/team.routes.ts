import type { teamCalls } from '@tollgate/contract/calls'
import type { AuthRoutes } from '../identity/auth-routes.ts'
import { createTeam, listTeams, removeTeam, updateTeam } from './team.service.ts'
import {
  addTeamMember,
  listTeamMembers,
  listUserTeams,
  removeTeamMember,
  setActiveTeam,
} from './team-member.service.ts'

export const teamRoutes: AuthRoutes<typeof teamCalls> = {
  createTeam: ({ ctx, session, body }) => createTeam(ctx, session, body),
  listTeams: ({ ctx, session, query }) => listTeams(ctx, session, query),
  updateTeam: ({ ctx, session, body }) => updateTeam(ctx, session, body),
  removeTeam: ({ ctx, session, body }) => removeTeam(ctx, session, body),
  setActiveTeam: ({ ctx, caller, session, body }) => setActiveTeam(ctx, caller, session, body),
  listUserTeams: ({ ctx, session, query }) => listUserTeams(ctx, session, query),
  listTeamMembers: ({ ctx, session, query }) => listTeamMembers(ctx, session, query),
  addTeamMember: ({ ctx, session, body }) => addTeamMember(ctx, session, body),
  removeTeamMember: ({ ctx, caller, session, body }) => removeTeamMember(ctx, caller, session, body),
}
