import type { Migration } from './migration.ts'

/** Each session records the methods that started it; those of existing sessions are unknown. */
export const sessionMethods: Migration = {
  name: '0010-session-methods',
  async up({ schema }) {
    await schema
      .alterTable('session')
      .addColumn('methods', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  },
}
