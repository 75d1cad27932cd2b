import { type Call, ofOrganization } from './call.ts'

const ofTeam = { ...ofOrganization, feature: 'teams' } as const satisfies Partial<Call>

/** Teams of an organization and their members; 404 where teams are off. */
export const teamCalls = {
  createTeam: { ...ofTeam, method: 'POST', path: '/organization/create-team', refreshes: ['activeOrganization'] },
  listTeams: { ...ofTeam, method: 'GET', path: '/organization/list-teams' },
  updateTeam: { ...ofTeam, method: 'POST', path: '/organization/update-team', refreshes: ['activeOrganization'] },
  removeTeam: { ...ofTeam, method: 'POST', path: '/organization/remove-team', refreshes: ['activeOrganization'] },
  setActiveTeam: {
    ...ofTeam,
    method: 'POST',
    path: '/organization/set-active-team',
    refreshes: ['activeOrganization', 'session'],
  },
  listUserTeams: { ...ofTeam, method: 'GET', path: '/organization/list-user-teams' },
  listTeamMembers: { ...ofTeam, method: 'GET', path: '/organization/list-team-members' },
  addTeamMember: {
    ...ofTeam,
    method: 'POST',
    path: '/organization/add-team-member',
    refreshes: ['activeOrganization'],
  },
  removeTeamMember: {
    ...ofTeam,
    method: 'POST',
    path: '/organization/remove-team-member',
    refreshes: ['activeOrganization', 'session'],
  },
} as const satisfies Record<string, Call>
