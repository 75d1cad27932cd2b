import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Mailed links, keys for tokens, why an administrator acts as somebody, and the orders that administrators see users and events in. */
export const signInMethods: Migration = {
  name: '0002-sign-in-methods',
  async up({ schema, types }) {
    await schema.alterTable('session').addColumn('impersonation_reason', 'text').execute()
    // However an administrator's own session ends, what was begun in it ends in the same moment.
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
    // Few have one: those that an administrator has begun as others end with the administrator's own.
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

    // Each order that users can be listed in, with the id to tell equals apart.
    await schema.createIndex('user_created').on('user').columns(['created_at', 'id']).execute()
    await schema.createIndex('user_name').on('user').columns(['name', 'id']).execute()
    await schema.createIndex('user_role').on('user').columns(['role', 'id']).execute()
    await schema.createIndex('event_actor').on('event').columns(['actor_id', 'id']).execute()
    await schema.createIndex('event_type').on('event').columns(['type', 'id']).execute()
  },
}
