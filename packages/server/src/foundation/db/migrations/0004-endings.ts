import { index, type Migration } from './migration.ts'

/** Indexes of ended memberships, to find who ended them, and of expired ways into organizations, to sweep them. */
export const endings: Migration = {
  name: '0004-endings',
  steps: [
    index('event_member_removed', 'event', ['organization_id', 'user_id', 'id'], { where: "type = 'member.removed'" }),
    index('invitation_expiry', 'invitation', ['expires_at']),
    index('invitation_link_revoked', 'invitation_link', ['revoked_at'], { where: 'revoked_at is not null' }),
    index('invitation_link_expiry', 'invitation_link', ['expires_at'], { where: 'expires_at is not null' }),
    // The last use is not stored, so retention counts from the creation of such links.
    index('invitation_link_used_up', 'invitation_link', ['created_at'], { where: 'uses >= max_uses' }),
    index('join_request_decided', 'join_request', ['decided_at'], { where: 'decided_at is not null' }),
  ],
}
