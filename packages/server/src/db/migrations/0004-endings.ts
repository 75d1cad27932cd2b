import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Indexes of what has ended: of memberships, to know who ended them, and of ways into organizations, to sweep them away. */
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
    // When the last use was is written nowhere; such links are kept by when they were made.
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
