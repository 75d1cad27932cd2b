import { addColumns, change, flag, type Migration, withDefault } from './migration.ts'

/**
 * Sessions record that they are never extended: those started without "remember me", and impersonated ones.
 *
 * For existing sessions only the cookie holds that choice. Sessions that live a day or less count as never extended:
 * that is their default life (specification, section 4). If ordinary sessions are configured that short, their users
 * sign in once more at expiry. If sessions without "remember me" live longer, their cookie still prevents extension.
 */
export const sessionsNeverExtended: Migration = {
  name: '0009-sessions-never-extended',
  steps: [
    addColumns('session', { never_extended: withDefault(flag, false) }),
    change({
      sqlite: `update session set never_extended = true where impersonated_by is not null or unixepoch(expires_at) - unixepoch(created_at) <= 86400`,
      postgres: `update session set never_extended = true where impersonated_by is not null or expires_at - created_at <= interval '1 day'`,
    }),
  ],
}
