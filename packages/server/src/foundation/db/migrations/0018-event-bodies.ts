import { addColumns, type Migration, nullable, text } from './migration.ts'

/** Events of one change that are about the same object share its body: the first holds it, the others name the first. */
export const eventBodies: Migration = {
  name: '0018-event-bodies',
  steps: [addColumns('event', { payload_of: nullable(text) })],
}
