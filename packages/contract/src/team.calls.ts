import type { Call } from './call.ts'

/** Teams of an organization and who is in them; 404 where teams are off. */
export const teamCalls = {
  createTeam: { method: 'POST', path: '/organization/create-team', auth: 'session', refreshes: ['activeOrganization'] },
  listTeams: { method: 'GET', path: '/organization/list-teams', auth: 'session' },
  updateTeam: { method: 'POST', path: '/organization/update-team', auth: 'session', refreshes: ['activeOrganization'] },
  removeTeam: { method: 'POST', path: '/organization/remove-team', auth: 'session', refreshes: ['activeOrganization'] },
  setActiveTeam: {
    method: 'POST',
    path: '/organization/set-active-team',
    auth: 'session',
    refreshes: ['activeOrganization', 'session'],
  },
  listUserTeams: { method: 'GET', path: '/organization/list-user-teams', auth: 'session' },
  listTeamMembers: { method: 'GET', path: '/organization/list-team-members', auth: 'session' },
  addTeamMember: {
    method: 'POST',
    path: '/organization/add-team-member',
    auth: 'session',
    refreshes: ['activeOrganization'],
  },
  removeTeamMember: {
    method: 'POST',
    path: '/organization/remove-team-member',
    auth: 'session',
    refreshes: ['activeOrganization', 'session'],
  },
} as const satisfies Record<string, Call>
