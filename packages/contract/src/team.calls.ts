import type { Call } from './call.ts'

/** Teams of an organization and their members; 404 where teams are off. */
export const teamCalls = {
  createTeam: {
    method: 'POST',
    path: '/organization/create-team',
    auth: 'session',
    refreshes: ['activeOrganization'],
    feature: 'teams',
  },
  listTeams: { method: 'GET', path: '/organization/list-teams', auth: 'session', feature: 'teams' },
  updateTeam: {
    method: 'POST',
    path: '/organization/update-team',
    auth: 'session',
    refreshes: ['activeOrganization'],
    feature: 'teams',
  },
  removeTeam: {
    method: 'POST',
    path: '/organization/remove-team',
    auth: 'session',
    refreshes: ['activeOrganization'],
    feature: 'teams',
  },
  setActiveTeam: {
    method: 'POST',
    path: '/organization/set-active-team',
    auth: 'session',
    refreshes: ['activeOrganization', 'session'],
    feature: 'teams',
  },
  listUserTeams: { method: 'GET', path: '/organization/list-user-teams', auth: 'session', feature: 'teams' },
  listTeamMembers: { method: 'GET', path: '/organization/list-team-members', auth: 'session', feature: 'teams' },
  addTeamMember: {
    method: 'POST',
    path: '/organization/add-team-member',
    auth: 'session',
    refreshes: ['activeOrganization'],
    feature: 'teams',
  },
  removeTeamMember: {
    method: 'POST',
    path: '/organization/remove-team-member',
    auth: 'session',
    refreshes: ['activeOrganization', 'session'],
    feature: 'teams',
  },
} as const satisfies Record<string, Call>
