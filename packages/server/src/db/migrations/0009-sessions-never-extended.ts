import type { Migration } from './migration.ts'

/**
 * Sessions know by themselves that they are never extended: those that were begun without being remembered, and those of
 * an administrator as somebody else.
 *
 * Of the sessions that are there, only their cookie knows who shall not be remembered. Whatever lives for a day at most
 * counts as such: that is the life of those sessions unless it is configured (specification, section 4). Where ordinary
 * sessions are configured to be as short, their owners sign in anew, once, when theirs runs out; where those that are not
 * remembered live longer, their cookie goes on keeping them from being extended.
 */
export const sessionsNeverExtended: Migration = {
  name: '0009-sessions-never-extended',
  async up({ schema, types, change }) {
    await schema
      .alterTable('session')
      .addColumn('never_extended', types.flag, (c) => c.notNull().defaultTo(false))
      .execute()
    await change({
      sqlite: `update session set never_extended = true where impersonated_by is not null or unixepoch(expires_at) - unixepoch(created_at) <= 86400`,
      postgres: `update session set never_extended = true where impersonated_by is not null or expires_at - created_at <= interval '1 day'`,
    })
  },
}
