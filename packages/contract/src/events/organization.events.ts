import type { OrganizationEventRow } from './row.ts'

/** What happens in an organization: each row is one type of event. */
export const organizationEvents = {
  'organization.created': {
    object: 'organization',
    docs: 'An organization is created.',
    chat: ({ where }) => `The organization ${where} was created`,
  },
  'organization.changed': {
    object: 'organization',
    // As a webhook, `organization.updated` is the type of the seller's settings.
    recordedAs: 'organization.updated',
    docs: 'An organization changes, for example its name; `details` lists the fields.',
    chat: ({ where }) => `The organization ${where} has changed`,
  },
  'organization.deleted': {
    object: 'organization',
    docs: 'An organization is deleted.',
    logTone: 'danger',
    chat: ({ where }) => `The organization ${where} was deleted`,
  },
  'organization.transferred': {
    object: 'organization',
    docs: 'The ownership of an organization is transferred.',
    lineTone: 'warn',
    logTone: 'warn',
    chat: ({ where, person }) => `The ownership of ${where} was transferred to ${person}`,
  },
  'organization.approved': {
    object: 'organization',
    notSent: 'sent as organization.updated',
    logTone: 'warn',
  },
  'organization.selling_stopped': {
    object: 'organization',
    notSent: 'sent as organization.updated',
    lineTone: 'warn',
    logTone: 'warn',
  },
  'access_token.created': {
    object: 'access_token',
    notSent: 'audit log only',
  },
  'access_token.updated': {
    object: 'access_token',
    notSent: 'audit log only',
  },
  'access_token.deleted': {
    object: 'access_token',
    notSent: 'audit log only',
  },
  'webhook_endpoint.created': {
    object: 'webhook_endpoint',
    notSent: 'audit log only',
  },
  'webhook_endpoint.updated': {
    object: 'webhook_endpoint',
    notSent: 'audit log only',
  },
  'webhook_endpoint.secret_rotated': {
    object: 'webhook_endpoint',
    notSent: 'audit log only',
  },
  'webhook_endpoint.enabled': {
    object: 'webhook_endpoint',
    notSent: 'audit log only',
  },
  'webhook_endpoint.disabled': {
    object: 'webhook_endpoint',
    notSent: 'audit log and mail',
    lineTone: 'warn',
  },
  'webhook_endpoint.deleted': {
    object: 'webhook_endpoint',
    notSent: 'audit log only',
  },
  'member.added': {
    object: 'member',
    docs: 'A user becomes a member.',
    chat: ({ Person, where }) => `${Person} joined ${where}`,
  },
  'member.removed': {
    object: 'member',
    docs: 'A member leaves or is removed.',
    lineTone: 'warn',
    logTone: 'warn',
    chat: ({ Person, where, hasLeft }) => (hasLeft ? `${Person} left ${where}` : `${Person} was removed from ${where}`),
  },
  'member.role_changed': {
    object: 'member',
    docs: 'The roles of a member change.',
    lineTone: 'warn',
    logTone: 'warn',
    chat: ({ person, where }) => `The role of ${person} in ${where} changed`,
  },
  'role.created': {
    object: 'role',
    notSent: 'the permissions of roles stay inside the organization',
  },
  'role.updated': {
    object: 'role',
    notSent: 'the permissions of roles stay inside the organization',
  },
  'role.deleted': {
    object: 'role',
    notSent: 'the permissions of roles stay inside the organization',
  },
  'invitation.created': {
    object: 'invitation',
    docs: 'A member invites a person.',
    chat: ({ Invited, where }) => `${Invited} was invited to ${where}`,
  },
  'invitation.renewed': {
    object: 'invitation',
    docs: 'An invitation is sent again.',
    chat: ({ Invited, where }) => `${Invited} was invited to ${where} again`,
  },
  'invitation.accepted': {
    object: 'invitation',
    docs: 'An invitation is accepted.',
    chat: ({ Invited, where }) => `${Invited} accepted the invitation to ${where}`,
  },
  'invitation.rejected': {
    object: 'invitation',
    docs: 'An invitation is declined.',
    chat: ({ Invited, where }) => `${Invited} declined the invitation to ${where}`,
  },
  'invitation.canceled': {
    object: 'invitation',
    docs: 'An invitation is withdrawn.',
    chat: ({ invited, where }) => `The invitation of ${invited} to ${where} was withdrawn`,
  },
  'invitation_link.created': {
    object: 'invitation_link',
    notSent: 'a use of the link is sent as member.added',
  },
  'invitation_link.revoked': {
    object: 'invitation_link',
    notSent: 'each use of the link was sent as member.added',
  },
  'join_request.created': {
    object: 'join_request',
    notSent: 'an approval is sent as member.added',
  },
  'join_request.approved': {
    object: 'join_request',
    notSent: 'sent as member.added',
  },
  'join_request.denied': {
    object: 'join_request',
    notSent: 'nothing changes',
  },
  'team.created': {
    object: 'team',
    docs: 'A team is created.',
    chat: ({ Team, where }) => `${Team} was created in ${where}`,
  },
  'team.updated': {
    object: 'team',
    docs: 'A team changes.',
    chat: ({ Team, where }) => `${Team} of ${where} has changed`,
  },
  'team.removed': {
    object: 'team',
    docs: 'A team is deleted.',
    chat: ({ Team, where }) => `${Team} was removed from ${where}`,
  },
  'team_member.added': {
    object: 'team_member',
    docs: 'A member is added to a team.',
    chat: ({ Person, team, where }) => `${Person} was added to ${team} of ${where}`,
  },
  'team_member.removed': {
    object: 'team_member',
    docs: 'A member is removed from a team.',
    chat: ({ Person, team, where }) => `${Person} was removed from ${team} of ${where}`,
  },
  'domain.added': {
    object: 'domain',
    notSent: 'each member that it admits is sent as member.added',
  },
  'domain.verified': {
    object: 'domain',
    notSent: 'each member that it admits is sent as member.added',
  },
  'domain.updated': {
    object: 'domain',
    notSent: 'each member that it admits is sent as member.added',
  },
  'domain.removed': {
    object: 'domain',
    notSent: 'each member that it admitted was sent as member.added',
  },
} as const satisfies Readonly<Record<string, OrganizationEventRow>>
