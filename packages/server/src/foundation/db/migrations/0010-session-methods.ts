import { addColumns, type Migration, text, withDefault } from './migration.ts'

/** Each session records the methods that started it; those of existing sessions are unknown. */
export const sessionMethods: Migration = {
  name: '0010-session-methods',
  steps: [addColumns('session', { methods: withDefault(text, '') })],
}
