import { addColumns, flag, type Migration, withDefault } from './migration.ts'

/** A subscription may pause at the end of its period. */
export const pauses: Migration = {
  name: '0024-pauses',
  steps: [addColumns('subscription', { pause_at_period_end: withDefault(flag, false) })],
}
