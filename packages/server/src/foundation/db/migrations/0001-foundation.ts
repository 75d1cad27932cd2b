import {
  flag,
  id,
  index,
  integer,
  json,
  type Migration,
  nullable,
  primaryKey,
  reference,
  table,
  text,
  time,
  unique,
} from './migration.ts'

/** Users, their accounts and sessions, one-time proofs, and the server's own events, jobs, limits and settings. */
export const foundation: Migration = {
  name: '0001-foundation',
  steps: [
    table('user', {
      id,
      email: unique(text),
      email_verified: flag,
      name: text,
      image: nullable(text),
      username: nullable(unique(text)),
      display_username: nullable(text),
      role: nullable(text),
      banned: flag,
      ban_reason: nullable(text),
      ban_expires: nullable(time),
      created_at: time,
      updated_at: time,
    }),

    table('account', {
      id,
      provider_id: text,
      account_id: text,
      user_id: reference('user.id', 'cascade'),
      access_token: nullable(text),
      refresh_token: nullable(text),
      id_token: nullable(text),
      access_token_expires_at: nullable(time),
      refresh_token_expires_at: nullable(time),
      scope: nullable(text),
      password: nullable(text),
      created_at: time,
      updated_at: time,
      account_provider: { unique: ['provider_id', 'account_id'] },
    }),
    index('account_user', 'account', ['user_id']),
    // Empty once every imported hash is replaced; each failed sign-in queries it (`passwords.ts`).
    index('account_imported_password', 'account', ['password'], {
      where: "password is not null and substr(password, 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$'",
    }),

    table('session', {
      id,
      user_id: reference('user.id', 'cascade'),
      token: unique(text),
      expires_at: time,
      ip_address: text,
      user_agent: nullable(text),
      active_organization_id: nullable(text),
      active_team_id: nullable(text),
      impersonated_by: nullable(text),
      authenticated_at: time,
      created_at: time,
      updated_at: time,
    }),
    index('session_user', 'session', ['user_id', 'expires_at']),
    index('session_expiry', 'session', ['expires_at']),

    table('verification', {
      id,
      identifier: unique(text),
      value: text,
      expires_at: time,
      created_at: time,
      updated_at: time,
    }),
    index('verification_value', 'verification', ['value']),
    index('verification_expiry', 'verification', ['expires_at']),

    table('event', {
      id,
      type: text,
      actor_id: nullable(text),
      user_id: nullable(text),
      data: nullable(json),
      created_at: time,
    }),
    index('event_user', 'event', ['user_id', 'id']),

    table('job', {
      id,
      kind: text,
      payload: text,
      run_at: time,
      attempts: integer,
      lease_until: nullable(time),
      dead_at: nullable(time),
      last_error: nullable(text),
      created_at: time,
    }),
    index('job_due', 'job', ['dead_at', 'run_at']),

    table('rate_limit', {
      key: primaryKey(text),
      count: integer,
      expires_at: time,
    }),
    index('rate_limit_expiry', 'rate_limit', ['expires_at']),

    table('setting', {
      key: primaryKey(text),
      value: text,
      updated_at: time,
    }),

    table('inbox_message', {
      id,
      recipient: text,
      sender: text,
      subject: text,
      text_body: text,
      html_body: text,
      created_at: time,
    }),
    index('inbox_message_recipient', 'inbox_message', ['recipient', 'created_at']),
  ],
}
