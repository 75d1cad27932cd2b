import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Organizations with members, custom roles, teams, and their entries: invitations, links, requests, domains. */
export const organizations: Migration = {
  name: '0003-organizations',
  async up({ schema, types }) {
    await schema
      .createTable('organization')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('slug', 'text', (c) => c.notNull().unique())
      .addColumn('logo', 'text')
      .addColumn('metadata', types.json)
      .addColumn('require_verified_email', types.flag, (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('updated_at', types.time, (c) => c.notNull())
      .execute()
    await schema.createIndex('organization_created').on('organization').columns(['created_at', 'id']).execute()
    await schema.createIndex('organization_name').on('organization').columns(['name', 'id']).execute()

    await schema
      .createTable('member')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organization.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addUniqueConstraint('member_person', ['organization_id', 'user_id'])
      .execute()
    await schema.createIndex('member_joined').on('member').columns(['organization_id', 'created_at', 'id']).execute()
    await schema.createIndex('member_user').on('member').columns(['user_id', 'created_at', 'id']).execute()

    await schema
      .createTable('organization_role')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organization.id').onDelete('cascade'))
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('permission', types.json, (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('updated_at', types.time, (c) => c.notNull())
      .addUniqueConstraint('organization_role_name', ['organization_id', 'role'])
      .execute()

    await schema
      .createTable('team')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organization.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('updated_at', types.time)
      .execute()
    await schema.createIndex('team_created').on('team').columns(['organization_id', 'created_at', 'id']).execute()

    // A member who leaves the organization leaves its teams in the same statement.
    await schema
      .createTable('team_member')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('team_id', 'text', (c) => c.notNull().references('team.id').onDelete('cascade'))
      .addColumn('member_id', 'text', (c) => c.notNull().references('member.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addUniqueConstraint('team_member_person', ['team_id', 'user_id'])
      .execute()
    await schema.createIndex('team_member_user').on('team_member').columns(['user_id', 'created_at', 'id']).execute()
    await schema.createIndex('team_member_member').on('team_member').columns(['member_id', 'created_at']).execute()

    await schema
      .createTable('invitation')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organization.id').onDelete('cascade'))
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('team_id', 'text')
      .addColumn('inviter_id', 'text', (c) => c.notNull())
      .addColumn('proof_hash', 'text')
      .addColumn('expires_at', types.time, (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .execute()
    // One open invitation per address: the second of two concurrent ones conflicts here.
    await schema
      .createIndex('invitation_open')
      .unique()
      .on('invitation')
      .columns(['organization_id', 'email'])
      .where(sql<boolean>`status = 'pending'`)
      .execute()
    await schema
      .createIndex('invitation_created')
      .on('invitation')
      .columns(['organization_id', 'created_at', 'id'])
      .execute()
    await schema.createIndex('invitation_email').on('invitation').columns(['email', 'created_at', 'id']).execute()

    await schema
      .createTable('invitation_link')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organization.id').onDelete('cascade'))
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('sealed_token', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('team_id', 'text')
      .addColumn('max_uses', 'integer')
      .addColumn('uses', 'integer', (c) => c.notNull())
      .addColumn('email_domains', 'text')
      .addColumn('requires_approval', types.flag, (c) => c.notNull())
      .addColumn('creator_id', 'text', (c) => c.notNull())
      .addColumn('revoked_at', types.time)
      .addColumn('expires_at', types.time)
      .addColumn('created_at', types.time, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('invitation_link_created')
      .on('invitation_link')
      .columns(['organization_id', 'created_at', 'id'])
      .execute()

    await schema
      .createTable('join_request')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organization.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('team_id', 'text')
      .addColumn('link_id', 'text')
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('decided_by', 'text')
      .addColumn('decided_at', types.time)
      .addColumn('created_at', types.time, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('join_request_open')
      .unique()
      .on('join_request')
      .columns(['organization_id', 'user_id'])
      .where(sql<boolean>`status = 'pending'`)
      .execute()
    await schema
      .createIndex('join_request_created')
      .on('join_request')
      .columns(['organization_id', 'status', 'created_at', 'id'])
      .execute()
    await schema.createIndex('join_request_user').on('join_request').column('user_id').execute()

    await schema
      .createTable('organization_domain')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organization.id').onDelete('cascade'))
      .addColumn('domain', 'text', (c) => c.notNull())
      .addColumn('proof', 'text', (c) => c.notNull())
      .addColumn('join_mode', 'text', (c) => c.notNull())
      .addColumn('verified_at', types.time)
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addUniqueConstraint('organization_domain_name', ['organization_id', 'domain'])
      .execute()
    // The first organization to prove a domain owns it.
    await schema
      .createIndex('organization_domain_verified')
      .unique()
      .on('organization_domain')
      .column('domain')
      .where(sql<boolean>`verified_at is not null`)
      .execute()

    await schema.alterTable('event').addColumn('organization_id', 'text').execute()
    await schema.createIndex('event_organization').on('event').columns(['organization_id', 'id']).execute()
    await schema
      .createIndex('session_organization')
      .on('session')
      .column('active_organization_id')
      .where(sql<boolean>`active_organization_id is not null`)
      .execute()
  },
}
