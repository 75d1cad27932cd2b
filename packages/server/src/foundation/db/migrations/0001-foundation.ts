import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Users, their accounts and sessions, one-time proofs, and the server's own events, jobs, limits and settings. */
export const foundation: Migration = {
  name: '0001-foundation',
  async up({ schema, types }) {
    await schema
      .createTable('user')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('email', 'text', (c) => c.notNull().unique())
      .addColumn('email_verified', types.flag, (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('image', 'text')
      .addColumn('username', 'text', (c) => c.unique())
      .addColumn('display_username', 'text')
      .addColumn('role', 'text')
      .addColumn('banned', types.flag, (c) => c.notNull())
      .addColumn('ban_reason', 'text')
      .addColumn('ban_expires', types.time)
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('updated_at', types.time, (c) => c.notNull())
      .execute()

    await schema
      .createTable('account')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('provider_id', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('access_token', 'text')
      .addColumn('refresh_token', 'text')
      .addColumn('id_token', 'text')
      .addColumn('access_token_expires_at', types.time)
      .addColumn('refresh_token_expires_at', types.time)
      .addColumn('scope', 'text')
      .addColumn('password', 'text')
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('updated_at', types.time, (c) => c.notNull())
      .addUniqueConstraint('account_provider', ['provider_id', 'account_id'])
      .execute()
    await schema.createIndex('account_user').on('account').column('user_id').execute()
    // Empty once every imported hash is replaced; each failed sign-in queries it (`passwords.ts`).
    await schema
      .createIndex('account_imported_password')
      .on('account')
      .column('password')
      .where(sql<boolean>`password is not null and substr(password, 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$'`)
      .execute()

    await schema
      .createTable('session')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('token', 'text', (c) => c.notNull().unique())
      .addColumn('expires_at', types.time, (c) => c.notNull())
      .addColumn('ip_address', 'text', (c) => c.notNull())
      .addColumn('user_agent', 'text')
      .addColumn('active_organization_id', 'text')
      .addColumn('active_team_id', 'text')
      .addColumn('impersonated_by', 'text')
      .addColumn('authenticated_at', types.time, (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('updated_at', types.time, (c) => c.notNull())
      .execute()
    await schema.createIndex('session_user').on('session').columns(['user_id', 'expires_at']).execute()
    await schema.createIndex('session_expiry').on('session').column('expires_at').execute()

    await schema
      .createTable('verification')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('identifier', 'text', (c) => c.notNull().unique())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('expires_at', types.time, (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .addColumn('updated_at', types.time, (c) => c.notNull())
      .execute()
    await schema.createIndex('verification_value').on('verification').column('value').execute()
    await schema.createIndex('verification_expiry').on('verification').column('expires_at').execute()

    await schema
      .createTable('event')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('actor_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('data', types.json)
      .addColumn('created_at', types.time, (c) => c.notNull())
      .execute()
    await schema.createIndex('event_user').on('event').columns(['user_id', 'id']).execute()

    await schema
      .createTable('job')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('run_at', types.time, (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('lease_until', types.time)
      .addColumn('dead_at', types.time)
      .addColumn('last_error', 'text')
      .addColumn('created_at', types.time, (c) => c.notNull())
      .execute()
    await schema.createIndex('job_due').on('job').columns(['dead_at', 'run_at']).execute()

    await schema
      .createTable('rate_limit')
      .addColumn('key', 'text', (c) => c.notNull().primaryKey())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addColumn('expires_at', types.time, (c) => c.notNull())
      .execute()
    await schema.createIndex('rate_limit_expiry').on('rate_limit').column('expires_at').execute()

    await schema
      .createTable('setting')
      .addColumn('key', 'text', (c) => c.notNull().primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('updated_at', types.time, (c) => c.notNull())
      .execute()

    await schema
      .createTable('inbox_message')
      .addColumn('id', 'text', (c) => c.notNull().primaryKey())
      .addColumn('recipient', 'text', (c) => c.notNull())
      .addColumn('sender', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('text_body', 'text', (c) => c.notNull())
      .addColumn('html_body', 'text', (c) => c.notNull())
      .addColumn('created_at', types.time, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('inbox_message_recipient')
      .on('inbox_message')
      .columns(['recipient', 'created_at'])
      .execute()
  },
}
