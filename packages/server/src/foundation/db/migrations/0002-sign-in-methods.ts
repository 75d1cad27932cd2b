import {
  addColumns,
  id,
  index,
  integer,
  type Migration,
  nullable,
  primaryKey,
  reference,
  table,
  text,
  time,
  unique,
} from './migration.ts'

/** Mailed links, token keys, impersonation reasons, and indexes for the administrators' lists of users and events. */
export const signInMethods: Migration = {
  name: '0002-sign-in-methods',
  steps: [
    addColumns('session', { impersonation_reason: nullable(text) }),
    // Impersonated sessions end with the administrator's own session, however that ends.
    addColumns('session', { impersonated_from: nullable(reference('session.id', 'cascade')) }),
    index('session_impersonated_from', 'session', ['impersonated_from'], { where: 'impersonated_from is not null' }),
    // A partial index: only impersonated sessions have a parent.
    index('session_impersonator', 'session', ['impersonated_by'], { where: 'impersonated_by is not null' }),
    addColumns('account', { device_id: nullable(text) }),
    addColumns('verification', { content: nullable(text) }),

    table('magic_link', {
      mailbox: primaryKey(text),
      token_hash: unique(text),
      code_hash: text,
      tries: integer,
      content: text,
      expires_at: time,
      created_at: time,
    }),
    index('magic_link_expiry', 'magic_link', ['expires_at']),

    table('jwks', {
      id,
      public_key: text,
      private_key: text,
      created_at: time,
      retires_at: nullable(time),
    }),

    // One index for each sort order of users, with the id to break ties.
    index('user_created', 'user', ['created_at', 'id']),
    index('user_name', 'user', ['name', 'id']),
    index('user_role', 'user', ['role', 'id']),
    index('event_actor', 'event', ['actor_id', 'id']),
    index('event_type', 'event', ['type', 'id']),
  ],
}
