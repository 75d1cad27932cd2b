import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Indexes of ended memberships, to find who ended them, and of expired ways into organizations, to sweep them. */
export const endings: Migration = {
  name: '0004-endings',
  async up({ schema }) {
    await schema
      .createIndex('event_member_removed')
      .on('event')
      .columns(['organization_id', 'user_id', 'id'])
      .where(sql<boolean>`type = 'member.removed'`)
      .execute()
    await schema.createIndex('invitation_expiry').on('invitation').column('expires_at').execute()
    await schema
      .createIndex('invitation_link_revoked')
      .on('invitation_link')
      .column('revoked_at')
      .where(sql<boolean>`revoked_at is not null`)
      .execute()
    await schema
      .createIndex('invitation_link_expiry')
      .on('invitation_link')
      .column('expires_at')
      .where(sql<boolean>`expires_at is not null`)
      .execute()
    // The last use is not stored, so retention counts from the creation of such links.
    await schema
      .createIndex('invitation_link_used_up')
      .on('invitation_link')
      .column('created_at')
      .where(sql<boolean>`uses >= max_uses`)
      .execute()
    await schema
      .createIndex('join_request_decided')
      .on('join_request')
      .column('decided_at')
      .where(sql<boolean>`decided_at is not null`)
      .execute()
  },
}
