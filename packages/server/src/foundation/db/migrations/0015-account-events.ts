import { index, type Migration } from './migration.ts'

/** The audit log without sales, which are most events of an installation that sells. */
export const accountEvents: Migration = {
  name: '0015-account-events',
  steps: [index('event_account', 'event', ['id'], { where: 'merchant_id is null' })],
}
