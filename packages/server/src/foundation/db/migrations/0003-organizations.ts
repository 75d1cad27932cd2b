import {
  addColumns,
  flag,
  id,
  index,
  integer,
  json,
  type Migration,
  nullable,
  reference,
  table,
  text,
  time,
  unique,
  uniqueIndex,
} from './migration.ts'

/** Organizations with members, custom roles, teams, and their entries: invitations, links, requests, domains. */
export const organizations: Migration = {
  name: '0003-organizations',
  steps: [
    table('organization', {
      id,
      name: text,
      slug: unique(text),
      logo: nullable(text),
      metadata: nullable(json),
      require_verified_email: flag,
      created_at: time,
      updated_at: time,
    }),
    index('organization_created', 'organization', ['created_at', 'id']),
    index('organization_name', 'organization', ['name', 'id']),

    table('member', {
      id,
      organization_id: reference('organization.id', 'cascade'),
      user_id: reference('user.id', 'cascade'),
      role: text,
      created_at: time,
      member_person: { unique: ['organization_id', 'user_id'] },
    }),
    index('member_joined', 'member', ['organization_id', 'created_at', 'id']),
    index('member_user', 'member', ['user_id', 'created_at', 'id']),

    table('organization_role', {
      id,
      organization_id: reference('organization.id', 'cascade'),
      role: text,
      permission: json,
      created_at: time,
      updated_at: time,
      organization_role_name: { unique: ['organization_id', 'role'] },
    }),

    table('team', {
      id,
      organization_id: reference('organization.id', 'cascade'),
      name: text,
      created_at: time,
      updated_at: nullable(time),
    }),
    index('team_created', 'team', ['organization_id', 'created_at', 'id']),

    // A member who leaves the organization leaves its teams in the same statement.
    table('team_member', {
      id,
      team_id: reference('team.id', 'cascade'),
      member_id: reference('member.id', 'cascade'),
      user_id: text,
      created_at: time,
      team_member_person: { unique: ['team_id', 'user_id'] },
    }),
    index('team_member_user', 'team_member', ['user_id', 'created_at', 'id']),
    index('team_member_member', 'team_member', ['member_id', 'created_at']),

    table('invitation', {
      id,
      organization_id: reference('organization.id', 'cascade'),
      email: text,
      role: text,
      status: text,
      team_id: nullable(text),
      inviter_id: text,
      proof_hash: nullable(text),
      expires_at: time,
      created_at: time,
    }),
    // One open invitation per address: the second of two concurrent ones conflicts here.
    uniqueIndex('invitation_open', 'invitation', ['organization_id', 'email'], { where: "status = 'pending'" }),
    index('invitation_created', 'invitation', ['organization_id', 'created_at', 'id']),
    index('invitation_email', 'invitation', ['email', 'created_at', 'id']),

    table('invitation_link', {
      id,
      organization_id: reference('organization.id', 'cascade'),
      token_hash: unique(text),
      sealed_token: text,
      role: text,
      team_id: nullable(text),
      max_uses: nullable(integer),
      uses: integer,
      email_domains: nullable(text),
      requires_approval: flag,
      creator_id: text,
      revoked_at: nullable(time),
      expires_at: nullable(time),
      created_at: time,
    }),
    index('invitation_link_created', 'invitation_link', ['organization_id', 'created_at', 'id']),

    table('join_request', {
      id,
      organization_id: reference('organization.id', 'cascade'),
      user_id: reference('user.id', 'cascade'),
      role: text,
      team_id: nullable(text),
      link_id: nullable(text),
      status: text,
      decided_by: nullable(text),
      decided_at: nullable(time),
      created_at: time,
    }),
    uniqueIndex('join_request_open', 'join_request', ['organization_id', 'user_id'], { where: "status = 'pending'" }),
    index('join_request_created', 'join_request', ['organization_id', 'status', 'created_at', 'id']),
    index('join_request_user', 'join_request', ['user_id']),

    table('organization_domain', {
      id,
      organization_id: reference('organization.id', 'cascade'),
      domain: text,
      proof: text,
      join_mode: text,
      verified_at: nullable(time),
      created_at: time,
      organization_domain_name: { unique: ['organization_id', 'domain'] },
    }),
    // The first organization to prove a domain owns it.
    uniqueIndex('organization_domain_verified', 'organization_domain', ['domain'], {
      where: 'verified_at is not null',
    }),

    addColumns('event', { organization_id: nullable(text) }),
    index('event_organization', 'event', ['organization_id', 'id']),
    index('session_organization', 'session', ['active_organization_id'], {
      where: 'active_organization_id is not null',
    }),
  ],
}
