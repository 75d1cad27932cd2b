import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Mailed links, token keys, impersonation reasons, and indexes for the administrators' lists of users and events. */
export const signInMethods: Migration = {
  name: '0002-sign-in-methods',
  async up({ schema, types }) {
    await schema.alterTable('session').addColumn('impersonation_reason', 'text').execute()
    // Impersonated sessions end with the administrator's own session, however that ends.
    await schema
      .alterTable('session')
      .addColumn('impersonated_from', 'text', (c) => c.references('session.id').onDelete('cascade'))
      .execute()
    await schema
      .createIndex('session_impersonated_from')
      .on('session')
      .column('impersonated_from')
      .where(sql<boolean>`impersonated_from is not null`)
      .execute()
    // A partial index: only impersonated sessions have a parent.
    await schema
      .createIndex('session_impersonator')
      .on('session')
      .column('impersonated_by')
      .where(sql<boolean>`impersonated_by is not null`)
      .execute()
    await schema.alterTable('account').addColumn('device_id', 'text').execute()
    await schema.alterTable('verification').addColumn('content', 'text').execute()

    await schema
      .createTable('magic_link')
      .addColumn('mailbox', 'text', (c) => c.notNull().primaryKey())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('code_hash', 'text', (c) => c.notNull())
      .addColumn('tries', 'integer', (c) => c.notNull())
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('expires_at', types.time, (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .execute()
    await schema.createIndex('magic_link_expiry').on('magic_link').column('expires_at').execute()

    await schema
      .createTable('jwks')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('public_key', 'text', (c) => c.notNull())
      .addColumn('private_key', 'text', (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('retires_at', types.time)
      .execute()

    // One index for each sort order of users, with the id to break ties.
    await schema.createIndex('user_created').on('user').columns(['created_at', 'id']).execute()
    await schema.createIndex('user_name').on('user').columns(['name', 'id']).execute()
    await schema.createIndex('user_role').on('user').columns(['role', 'id']).execute()
    await schema.createIndex('event_actor').on('event').columns(['actor_id', 'id']).execute()
    await schema.createIndex('event_type').on('event').columns(['type', 'id']).execute()
  },
}
